"""One turn: what the user just said, what memory did about it, and what the prompt is told."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from typing import TypedDict

from langchain_core.messages import AIMessage, AnyMessage, HumanMessage, SystemMessage

from memwarden.agent.context import conversation_of
from memwarden.memory.commands import Followed, FollowedAction
from memwarden.memory.user import UserMemory
from memwarden.model.record import NO_EVIDENCE, Evidence
from memwarden.session.roles import own_words

OPENING = "<memory_events>"
CLOSING = "</memory_events>"


class MemoryNote(TypedDict):
    """What memory did with a user's command; content-free, because the graph's state is checkpointed."""

    action: str
    reasons: list[str]
    ids: list[str]
    explanation: str


def last_user_message(messages: Sequence[AnyMessage]) -> HumanMessage | None:
    """Return the latest message of the user's, or null."""
    return next(iter(user_messages(messages)), None)


def user_messages(messages: Sequence[AnyMessage]) -> list[HumanMessage]:
    """Return the user's own messages, latest first.

    A human message that says where in the framework it comes from (a summary of the conversation, for
    instance) was written by a model, and is nobody's word.
    """
    return own_words(messages)[::-1]


def evidence_of(context: object, message: HumanMessage) -> Evidence:
    """Return the pointers to a message, for the record that rests on it."""
    return Evidence(conversation_id=conversation_of(context), message_id=message.id)


async def follow(user: UserMemory, messages: Sequence[AnyMessage], context: object) -> list[MemoryNote]:
    """Carry out the explicit memory command of the latest user message, or the answer it gives to a proposal."""
    message = last_user_message(messages)
    if message is None:
        return []
    question = asked_about(messages)
    followed = await user.follow(
        message.text,
        evidence=evidence_of(context, message),
        asked_about=NO_EVIDENCE if question is None else evidence_of(context, question),
    )
    return [] if followed is None else [note_of(followed)]


def asked_about(messages: Sequence[AnyMessage]) -> HumanMessage | None:
    """Return the user's message before the latest one, if the agent said something between them; null otherwise."""
    said = user_messages(messages)[:2]
    if len(said) < 2:
        return None
    latest, previous = said
    between = messages[_place(messages, previous) + 1 : _place(messages, latest)]
    return previous if any(isinstance(m, AIMessage) and m.text for m in between) else None


def stale_exchanges(messages: Sequence[AnyMessage], stale: Collection[str]) -> list[str]:
    """Return the ids of stale messages of the user's and of all that was answered to them, up to their next message."""
    gone: list[str] = []
    dropping = False
    for message in messages:
        if isinstance(message, HumanMessage):
            dropping = message.id in stale
        if dropping and message.id is not None:
            gone.append(message.id)
    return gone


def _place(messages: Sequence[AnyMessage], message: AnyMessage) -> int:
    return next(place for place, other in enumerate(messages) if other is message)


def note_of(followed: Followed) -> MemoryNote:
    """Return what may be kept in the graph's state about a command that was followed."""
    result = followed.remembered
    about = None if result is None else result.record or result.proposal
    explanation = followed.explanation
    if followed.action is FollowedAction.ERASED:
        explanation = "Everything that was remembered about you is gone."
    elif about is not None:
        # What is kept stands in the memory section; a checkpoint gets no copy of it.
        what = f"the user's {about.key.replace('_', ' ')}" if about.key else "what the user said"
        explanation = (
            f"{what} is kept"
            if followed.action is FollowedAction.STORED
            else f"{what} waits for the user's yes"
        )
    return MemoryNote(
        action=followed.action.value,
        reasons=[reason.value for reason in followed.reasons],
        ids=list(followed.ids),
        explanation=explanation,
    )


def events_section(notes: Sequence[Mapping[str, object]]) -> str:
    """Return the section that tells the model what memory did with the user's command; empty without notes."""
    if not notes:
        return ""
    lines = [f"- {note['action']}: {note['explanation']}" for note in notes]
    return "\n".join(
        [OPENING, "What the memory service did with the user's message; tell the user so.", *lines, CLOSING]
    )


def with_sections(system: SystemMessage | None, sections: Sequence[str]) -> SystemMessage | None:
    """Return the system message with the sections after its rules, which stay the unchanged beginning."""
    present = [section for section in sections if section]
    if not present:
        return system
    blocks = [] if system is None else list(system.content_blocks)
    blocks += [{"type": "text", "text": section} for section in present]
    if all(block["type"] == "text" for block in blocks):
        # Plain text is what every provider takes; blocks are kept only where the rules came as other than text.
        return SystemMessage("\n\n".join(str(block.get("text", "")) for block in blocks))
    return SystemMessage(content_blocks=blocks)
