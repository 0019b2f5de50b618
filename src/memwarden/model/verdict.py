"""What the guard is asked and what it answers."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum

from memwarden.model.record import MemoryType


class Origin(StrEnum):
    """Where the words of a candidate come from."""

    USER_TURN = "user_turn"
    """The user's own message in the conversation."""
    DOCUMENT = "document"
    """A file, a page, a mail or a retrieved passage."""
    TOOL_RESULT = "tool_result"
    """What a tool or another agent returned."""
    ASSISTANT = "assistant"
    """The model's own words."""
    LINK = "link"
    """Text placed in a URL or a prefilled prompt."""
    SYSTEM = "system"
    """Deterministic code of the application."""


class Reason(StrEnum):
    """Why a candidate is not simply stored, by the one word users, logs and corpora share."""

    SECRET = "secret"  # noqa: S105 - the name of a reason, not a password
    IDENTIFIER = "identifier"
    UNTRUSTED = "untrusted"
    INSTRUCTION = "instruction"
    PERMISSION = "permission"
    SENSITIVE = "sensitive"
    THIRD_PARTY = "third_party"
    INFERENCE = "inference"
    POLICY = "policy"
    TRANSIENT = "transient"
    TRANSCRIPT = "transcript"
    UNSUPPORTED = "unsupported"
    """The candidate says more than the user's own words it claims to rest on."""
    UNFRAMED = "unframed"
    """Nothing speaks against it, but it is not recognisably a statement about the speaker."""
    NO_CONSENT = "no_consent"
    """The user does not let themselves be remembered, or not for this purpose."""
    DECLINED = "declined"
    """The user was asked before and said no."""
    FORGOTTEN = "forgotten"
    """The user has had it forgotten."""
    CONTRADICTS = "contradicts"
    """It cannot be true beside something that is remembered, so the user has to say which holds."""
    PROPOSED = "proposed"
    """Somebody other than the user put it into words, so the user has to confirm it."""


class Decision(StrEnum):
    """What may happen with a candidate."""

    STORE = "store"
    """Keep the form in `Verdict.stored`."""
    REDACT = "redact"
    """Keep the form in `Verdict.stored`, from which something was taken out."""
    ASK = "ask"
    """Keep it only if the user confirms it."""
    REFUSE = "refuse"
    """Do not keep it, confirmed or not."""


@dataclass(frozen=True, slots=True)
class Candidate:
    """A text that somebody would like to be remembered.

    ``text`` is the statement; ``origin`` where its words come from. Where the statement is not the
    user's own wording, ``message`` is the whole user message it was drawn from and ``quote`` the
    words of that message it rests on.
    """

    text: str
    origin: Origin
    message: str | None = None
    quote: str | None = None


@dataclass(frozen=True, slots=True)
class Statement:
    """The form in which an accepted candidate is kept.

    ``type`` and, for a profile slot, ``key`` say what it is; ``content`` is the sentence that is kept
    and shown; ``value`` is the bare value of a slot ("Telugu"), null for free text. ``purpose`` is what the
    user consented to, null where the statement needs no consent.
    """

    type: MemoryType
    content: str
    key: str | None = None
    value: str | None = None
    purpose: str | None = None


@dataclass(frozen=True, slots=True)
class Finding:
    """A span of the candidate that speaks against keeping it.

    ``start`` and ``end`` are character offsets into the original text, end exclusive; ``kind`` names
    what was found more finely than the reason does, such as "github_token" or "aadhaar".
    """

    reason: Reason
    start: int
    end: int
    kind: str


@dataclass(frozen=True, slots=True)
class Verdict:
    """The guard's answer about one candidate.

    ``reasons`` run from the strongest to the weakest and are empty only when the decision is STORE.
    ``stored`` is what would be kept, null when refused. ``redacted`` is the candidate with every
    secret and identifier replaced, safe to show and to log. ``explanation`` is one sentence for the
    person who wrote it.
    """

    decision: Decision
    reasons: tuple[Reason, ...]
    stored: Statement | None
    redacted: str
    explanation: str
    findings: tuple[Finding, ...] = ()
