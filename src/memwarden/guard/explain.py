"""One plain sentence for every verdict, addressed to the person who wrote the text."""

from __future__ import annotations

from memwarden.model.verdict import Decision, Reason, Statement

_REFUSED = {
    Reason.SECRET: "That contains a password, code or key, which I never keep; a password manager is the right place for it.",
    Reason.IDENTIFIER: "That contains a government or financial number or another detail that identifies you, which I never keep; leave it in the system that asked for it.",
    Reason.UNTRUSTED: "Only what you say yourself can be remembered, and these words came from somewhere else.",
    Reason.INSTRUCTION: "Memory holds facts and preferences about you; it cannot hold instructions that change what the assistant does, trusts, hides or recommends.",
    Reason.PERMISSION: "Approvals and rights are checked where they are granted; they cannot be kept as a memory.",
    Reason.SENSITIVE: "That is sensitive personal information, which is not kept without a purpose and your recorded consent.",
    Reason.THIRD_PARTY: "That is about somebody else, and only what concerns you is remembered.",
    Reason.INFERENCE: "That is a guess about a person rather than something you stated, so it is not kept.",
    Reason.POLICY: "That is a fact of the organisation, which belongs in its documents, where it stays current.",
    Reason.TRANSIENT: "That will soon no longer be true, so it is not kept.",
    Reason.TRANSCRIPT: "That is a piece of conversation or a document rather than one short statement about you.",
    Reason.UNSUPPORTED: "Your message does not say that much, so it is not kept.",
}
_ASKED = {
    Reason.UNSUPPORTED: "This says more than your message did; it is kept only if you confirm it.",
    Reason.PROPOSED: "This was put into words for you; it is kept only if you confirm it.",
    Reason.UNFRAMED: "This is not clearly a lasting statement about you; confirm it, or say it as one short sentence about yourself.",
    Reason.IDENTIFIER: "This holds contact details; they are kept only if you confirm it.",
    Reason.SECRET: "This may tell how something is opened or logged into; if so, say no, otherwise confirm it.",
    Reason.INSTRUCTION: "This may change what the assistant does rather than say something about you; confirm it only if it does not.",
    Reason.PERMISSION: "This may claim a right, and rights are checked where they are granted; confirm it only if it claims none.",
    Reason.SENSITIVE: "This may be sensitive personal information; it is kept only if you confirm it.",
    Reason.THIRD_PARTY: "This may be about somebody else; confirm it only if it is about you.",
    Reason.INFERENCE: "This may be a guess about you; confirm it only if it is true.",
    Reason.POLICY: "This may be a fact of the organisation, which its documents hold better; confirm it only if it is about you.",
    Reason.TRANSIENT: "This may soon no longer be true; confirm it only if it lasts.",
    Reason.TRANSCRIPT: "This may be no statement about you; confirm it, or say it as one short sentence about yourself.",
}


def explain(decision: Decision, reasons: tuple[Reason, ...], stored: Statement | None) -> str:
    """Return the sentence shown with a verdict."""
    if decision is Decision.STORE and stored is not None:
        return f"This is remembered as: {stored.content}"
    if decision is Decision.REDACT and stored is not None:
        return f"Contact details are left out; this is remembered as: {stored.content}"
    table = _ASKED if decision is Decision.ASK else _REFUSED
    return next((table[reason] for reason in reasons if reason in table), _ASKED[Reason.UNFRAMED])
