"""What the helpdesk can look up: made-up figures of a made-up company.

Policy lives here, in the application, and is never remembered: a memory of a policy would outlive it.
"""

from __future__ import annotations

from langchain_core.tools import tool

_HOLIDAYS = {
    "pune": ["25 December: Christmas", "14 January: Makar Sankranti", "19 February: Shivaji Jayanti"],
    "hyderabad": ["25 December: Christmas", "14 January: Sankranti", "15 January: Kanuma"],
}


@tool
def public_holidays(office: str) -> str:
    """List the next public holidays of an office, by its city."""
    days = _HOLIDAYS.get(office.strip().lower())
    if days is None:
        return (
            f"There is no holiday list for an office called {office!r}; the offices are Pune and Hyderabad."
        )
    return "; ".join(days)


@tool
def leave_balance() -> str:
    """Tell how many days of leave the signed-in employee has left this year."""
    return "Earned leave: 11 days; casual leave: 3 days."


HELPDESK_TOOLS = [public_holidays, leave_balance]
