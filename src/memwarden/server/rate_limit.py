"""How often one caller may ask, in this process."""

from __future__ import annotations

import math
import time
from collections import OrderedDict
from collections.abc import Callable
from dataclasses import dataclass

from starlette.types import ASGIApp, Receive, Scope, Send

from memwarden.server.authentication import caller_of
from memwarden.server.caller import Caller
from memwarden.server.problems import retry
from memwarden.server.request_id import request_id

MOST_CALLERS = 10_000
"""Callers that are remembered; whoever was not heard of for longest is forgotten first, and starts anew."""

Whose = tuple[str, str, str | None]


@dataclass(frozen=True, slots=True)
class Bucket:
    """What a caller had left at an instant of the monotonic clock."""

    left: float
    at: float


class RateLimit:
    """A bucket of tokens for each caller; a service has one for each user that it acts for.

    A bucket holds what one minute allows, and fills evenly.
    """

    def __init__(self, app: ASGIApp, per_minute: int, clock: Callable[[], float] = time.monotonic) -> None:
        self._app, self._per_minute, self._clock = app, per_minute, clock
        self._buckets: OrderedDict[Whose, Bucket] = OrderedDict()

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Serve one request."""
        caller = caller_of(scope) if scope["type"] == "http" else None
        wait = 0.0 if caller is None else self._taken(caller)
        if wait <= 0:
            await self._app(scope, receive, send)
            return
        problem = retry(429, "too-many-requests", "This caller asks too often; wait.", math.ceil(wait))
        await problem.response(request_id(scope))(scope, receive, send)

    def _taken(self, caller: Caller) -> float:
        """Take one token of the caller's; return how many seconds to wait if there is none."""
        whose = (caller.tenant_id, caller.subject, caller.acting_for)
        now, rate = self._clock(), self._per_minute / 60
        bucket = self._buckets.pop(whose, Bucket(self._per_minute, now))
        left = min(float(self._per_minute), bucket.left + (now - bucket.at) * rate)
        self._buckets[whose] = Bucket(left - 1 if left >= 1 else left, now)
        while len(self._buckets) > MOST_CALLERS:
            self._buckets.popitem(last=False)
        return 0.0 if left >= 1 else (1 - left) / rate
