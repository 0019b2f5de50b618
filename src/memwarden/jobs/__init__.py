"""Background work: durable, retried, one of a kind at a time for each user, on the same PostgreSQL."""

from memwarden.jobs.state import WorkState, work_state
from memwarden.jobs.worker import work_in_background, work_once, work_until_stopped

__all__ = ["WorkState", "work_in_background", "work_once", "work_state", "work_until_stopped"]
