"""What of the user's own words never reaches a checkpoint: secrets, whatever way a graph was given them.

A node or a middleware comes too late: LangGraph saves what a graph is invoked with before anything of it runs.
"""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Callable
from typing import Any

from langchain_core.messages import HumanMessage
from langgraph.checkpoint.serde.types import RESUME, _DeltaSnapshot

Redact = Callable[[str], str]

MOST_KNOWN = 2_000
_USER = frozenset({"user", "human"})
_MESSAGES = "messages"


def untouched(channel: str, value: object) -> object:
    """Return a value as it is."""
    return value


class Cleaning:
    """Takes secrets out of what users said, in the forms in which a graph takes messages.

    What was looked through is known by the hash of its text, so that a long history is not looked through at every step.
    """

    def __init__(self, redact: Redact) -> None:
        self._redact = redact
        self._known: OrderedDict[tuple[int, int], str | None] = OrderedDict()

    def cleaned(self, channel: str, value: object) -> object:
        """Return the value of a channel, or what is written to it, without secrets in what users said."""
        if channel == RESUME:
            return self._answered(value)
        if isinstance(value, _DeltaSnapshot):
            return _DeltaSnapshot(self.cleaned(channel, value.value))
        if isinstance(value, str):
            return self._text(value) if channel == _MESSAGES else value
        if type(value) is list:
            return [item if isinstance(item, str) else self._one(item) for item in value]
        return self._one(value)

    def _answered(self, value: object) -> object:
        """Return what a graph was resumed with, without secrets."""
        if isinstance(value, str):
            return self._text(value)
        if type(value) is dict:
            return {name: self._answered(held) for name, held in value.items()}
        if type(value) is list:
            return [self._answered(held) for held in value]
        return self._one(value)

    def _given(self, given: object) -> object:
        """Return messages in any form that a graph is invoked with."""
        if isinstance(given, str):
            return self._text(given)
        if type(given) is list:
            return [self._one(message) for message in given]
        return self._one(given)

    def _one(self, message: object) -> object:
        """Return a message of the user's, or an input that holds some, without secrets; anything else as it is."""
        if isinstance(message, str):
            return self._text(message)
        if isinstance(message, HumanMessage):
            content = self._content(message.content)
            return message if content is message.content else message.model_copy(update={"content": content})
        if type(message) is dict and _MESSAGES in message:
            return {**message, _MESSAGES: self._given(message[_MESSAGES])}
        if type(message) is dict and (message.get("role") in _USER or message.get("type") in _USER):
            return {**message, "content": self._content(message.get("content"))}
        if isinstance(message, tuple | list) and len(message) == 2 and message[0] in _USER:
            return (message[0], self._content(message[1]))
        return message

    def _content(self, content: Any) -> Any:  # noqa: ANN401 - a text or blocks
        if isinstance(content, str):
            return self._text(content)
        if not isinstance(content, list):
            return content
        blocks = [self._block(block) for block in content]
        return content if all(new is old for new, old in zip(blocks, content, strict=True)) else blocks

    def _block(self, block: object) -> object:
        if isinstance(block, str):
            return self._text(block)
        if isinstance(block, dict) and isinstance(said := block.get("text"), str):
            clean = self._text(said)
            return block if clean is said else {**block, "text": clean}
        return block

    def _text(self, text: str) -> str:
        key = (len(text), hash(text))
        if key not in self._known:
            clean = self._redact(text)
            self._known[key] = None if clean == text else clean
            while len(self._known) > MOST_KNOWN:
                self._known.popitem(last=False)
        clean_text = self._known[key]
        return text if clean_text is None else clean_text
