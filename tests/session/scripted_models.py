"""Chat models that follow a script: an orchestrator that looks at its prompts, and summarisers good and bad."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from langchain_core.callbacks import CallbackManagerForLLMRun
from langchain_core.language_models import BaseChatModel
from langchain_core.messages import AIMessage, BaseMessage
from langchain_core.outputs import ChatGeneration, ChatResult
from langchain_core.runnables import Runnable
from langchain_core.tools import BaseTool
from langchain_core.utils.function_calling import convert_to_openai_tool

Answer = Callable[[list[BaseMessage]], AIMessage]


class ScriptedModel(BaseChatModel):
    """Answers what a function makes of the prompt, and keeps every prompt with the tools it was offered."""

    answer: Answer
    prompts: list[list[BaseMessage]] = []  # noqa: RUF012 - a pydantic field, copied for each instance
    tools: list[dict[str, Any]] = []  # noqa: RUF012

    @property
    def _llm_type(self) -> str:
        return "scripted"

    def bind_tools(
        self, tools: Sequence[dict[str, Any] | type | Callable[..., Any] | BaseTool], **kwargs: Any
    ) -> Runnable[Any, AIMessage]:
        self.tools[:] = [convert_to_openai_tool(tool) for tool in tools]
        return self.bind(**kwargs)

    def _generate(
        self,
        messages: list[BaseMessage],
        stop: list[str] | None = None,
        run_manager: CallbackManagerForLLMRun | None = None,
        **kwargs: Any,
    ) -> ChatResult:
        self.prompts.append(messages)
        return ChatResult(generations=[ChatGeneration(message=self.answer(messages))])


def calls(*named: tuple[str, str, dict[str, Any]]) -> AIMessage:
    """Return an answer with calls in parallel, each an id, a tool's name and its arguments."""
    return AIMessage(
        "",
        tool_calls=[
            {"id": id_, "name": name, "args": args, "type": "tool_call"} for id_, name, args in named
        ],
    )


def summarising(said: str) -> ScriptedModel:
    """Return a summariser that always says the same."""
    return ScriptedModel(answer=lambda prompt: AIMessage(said))
