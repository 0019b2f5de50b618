"""A chat model without a model: fixed rules that play the assistant's part, so that the demo needs no key.

It is honest about what it is. It understands a handful of sentences, by the patterns below, and nothing
else; what it shows is everything *around* a model (memory, guard, tools, checkpoints), not a model.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from typing import Any
from uuid import uuid4

from langchain_core.callbacks import CallbackManagerForLLMRun
from langchain_core.language_models import BaseChatModel
from langchain_core.messages import AIMessage, BaseMessage, HumanMessage, SystemMessage, ToolMessage
from langchain_core.outputs import ChatGeneration, ChatResult
from langchain_core.runnables import Runnable
from langchain_core.tools import BaseTool

_HABIT = re.compile(r"\b(I (?:usually|always|mostly|normally) [^.,;!?]+)", re.IGNORECASE)
_EVENT = re.compile(r"^- (\w+): (.*)$", re.MULTILINE)
_REMEMBERED = re.compile(r'^- (?:(\w+): )?"((?:[^"\\]|\\.)*)"', re.MULTILINE)
_ABOUT_MEMORY = {
    "stored": "Noted, I will remember that.",
    "proposed": "I can remember that if you confirm it. Shall I?",
    "confirmed": "Good, I will remember that.",
    "declined": "All right, I will not remember that, and not ask again.",
    "forgotten": "Done, that is forgotten.",
}


class ScriptedHelpdeskModel(BaseChatModel):
    """Answers by rules over the prompt it is given; see the module's docstring for what that means."""

    @property
    def _llm_type(self) -> str:
        return "scripted-helpdesk"

    def bind_tools(
        self, tools: Sequence[dict[str, Any] | type | Callable[..., Any] | BaseTool], **kwargs: Any
    ) -> Runnable[Any, AIMessage]:
        """Accept any tools; the rules name the ones they call."""
        return self.bind(tools=list(tools), **kwargs)

    def _generate(
        self,
        messages: list[BaseMessage],
        stop: list[str] | None = None,
        run_manager: CallbackManagerForLLMRun | None = None,
        **kwargs: Any,
    ) -> ChatResult:
        prompt = Prompt(messages)
        answer = after_tool(prompt) if isinstance(messages[-1], ToolMessage) else after_user(prompt)
        return ChatResult(generations=[ChatGeneration(message=answer)])


class Prompt:
    """The parts of a prompt the rules look at."""

    def __init__(self, messages: list[BaseMessage]) -> None:
        self.messages = messages
        self.system = "\n".join(m.text for m in messages if isinstance(m, SystemMessage))
        self.said = next((m.text for m in reversed(messages) if isinstance(m, HumanMessage)), "")
        memory = _between(self.system, "<user_memory>", "</user_memory>")
        self.memories = [(key, content) for key, content in _REMEMBERED.findall(memory)]
        self.events = _EVENT.findall(_between(self.system, "<memory_events>", "</memory_events>"))

    def remembered(self, pattern: str) -> str | None:
        """Return the first remembered sentence that matches."""
        return next(
            (content for _, content in self.memories if re.search(pattern, content, re.IGNORECASE)), None
        )

    def slot(self, key: str) -> str | None:
        """Return the remembered sentence of a profile slot."""
        return next((content for name, content in self.memories if name == key), None)


def after_user(prompt: Prompt) -> AIMessage:
    """Answer, or call a tool, when the user has just spoken."""
    said = prompt.said.lower()
    if prompt.events:
        action, explanation = prompt.events[-1]
        return AIMessage(_ABOUT_MEMORY.get(action, explanation))
    if habit := _HABIT.search(prompt.said):
        statement = habit.group(1)
        return _call("propose_memory", {"statement": statement, "quote": habit.group(1)})
    if "holiday" in said:
        office = _office(prompt)
        if office is None:
            return AIMessage("Which office do you work from, Pune or Hyderabad?")
        return _call("public_holidays", {"office": office})
    if "leave" in said:
        return _call("leave_balance", {})
    if re.search(r"\b(schedule|call|meeting)\b", said):
        habit_known = prompt.remembered(r"night|morning|evening|shift")
        if habit_known is None:
            return AIMessage("What time of day suits you?")
        return AIMessage(f"I will look for an afternoon slot, because of what you told me: “{habit_known}”.")
    greeting = "Hello" if (name := _name(prompt)) is None else f"Hello {name}"
    return AIMessage(f"{greeting}. I can look up holidays and leave; what do you need?")


def after_tool(prompt: Prompt) -> AIMessage:
    """Put a tool's result into words."""
    result = prompt.messages[-1]
    text = result.text
    if result.name == "propose_memory":
        asked = re.search(r"whether to remember: (.*)", text)
        return AIMessage(
            f"Shall I remember this: “{asked.group(1)}”?" if asked else f"I will not keep that. {text}"
        )
    if prompt.remembered(r"bullet"):
        return AIMessage("\n".join(f"- {part.strip().rstrip('.')}" for part in text.split(";")))
    return AIMessage(text)


def _office(prompt: Prompt) -> str | None:
    known = f"{prompt.said} {prompt.slot('location') or ''} {prompt.remembered('office') or ''}"
    found = re.search(r"\b(Pune|Hyderabad)\b", known, re.IGNORECASE)
    return found.group(1) if found else None


def _name(prompt: Prompt) -> str | None:
    kept = prompt.slot("name")
    return kept.rstrip(".").split()[-1] if kept else None


def _call(tool: str, arguments: dict[str, Any]) -> AIMessage:
    return AIMessage("", tool_calls=[{"name": tool, "args": arguments, "id": f"call_{uuid4().hex[:12]}"}])


def _between(text: str, opening: str, closing: str) -> str:
    start = text.find(opening)
    end = text.find(closing, start)
    return text[start + len(opening) : end] if start >= 0 and end >= 0 else ""
