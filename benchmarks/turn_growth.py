"""How long prompts grow over one conversation: without compaction, with LangChain's summaries, and with ours."""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

from langchain.agents import create_agent
from langchain.agents.middleware import SummarizationMiddleware
from langchain_core.callbacks import CallbackManagerForLLMRun
from langchain_core.language_models import BaseChatModel
from langchain_core.messages import AIMessage, BaseMessage, HumanMessage, ToolMessage
from langchain_core.outputs import ChatGeneration, ChatResult
from langchain_core.runnables import Runnable
from langchain_core.tools import BaseTool, tool
from langchain_core.utils.function_calling import convert_to_openai_tool
from langgraph.checkpoint.memory import InMemorySaver
from rich.progress import Progress

from memwarden import Memwarden
from memwarden.agent import MemoryContext, conversation_middleware
from memwarden.session import Window
from memwarden.session.prompt_size import tokens_of

WINDOW = 8_000
RESULT, LONG_RESULT = 3_000, 20_000
SUMMARY = 1_600
"""Characters of every summary that the scripted summariser makes."""

CONSENT = "I do not consent to sharing my bank details."
RULES = "You are the helpdesk of a company. Answer in short sentences, and never promise what a policy does not grant."
_TELLING = re.compile(r"HR-\d{4}|consent|Shall I book")
_SENTENCE = re.compile(r"[^\n.?!<>]{3,200}[.?!]")


@dataclass(frozen=True)
class Script:
    """One conversation of so many turns."""

    turns: int

    @property
    def tickets(self) -> dict[int, str]:
        """The numbers of tickets that are opened, by turn."""
        return {turn: f"HR-{4000 + turn}" for turn in range(7, self.turns - 20, 30)}

    @property
    def decisions(self) -> dict[int, str]:
        """What the user is asked to decide, by turn; they answer in the next."""
        return {turn: f"Shall I book day {turn} as leave?" for turn in range(10, self.turns - 20, 35)}

    def asked(self, turn: int) -> str:
        """Return what the user says."""
        if turn == 3:
            return CONSENT
        if turn - 1 in self.decisions:
            return "Yes." if turn % 2 else "No."
        return (
            f"Question {turn}: how many days of leave does my team have in week {turn % 52}, and who is away?"
        )

    def answered(self, turn: int, prompt: Sequence[BaseMessage]) -> AIMessage:
        """Return what the agent does: calls a tool, or two at once, in most turns; then it speaks."""
        if isinstance(prompt[-1], ToolMessage) or turn % 5 == 4 or turn == 3 or turn - 1 in self.decisions:
            if turn in self.tickets:
                return AIMessage(f"I opened ticket {self.tickets[turn]} for you; somebody looks at it today.")
            said = f"Answer {turn}: your team has {turn % 30} days left, and nobody is away longer than two weeks."
            return AIMessage(self.decisions.get(turn, said))
        if turn in self.tickets:
            return _calls(("open_ticket", {"turn": turn}, f"t{turn}"))
        both = [("leave_days", {"turn": turn, "part": part}, f"{part}{turn}") for part in "ab"]
        return _calls(*both[: 2 if turn % 3 == 0 else 1])

    @property
    def facts(self) -> list[str]:
        """What may not be lost: the refusal of consent, each question that was decided, each ticket's number."""
        return [CONSENT.rstrip("."), *self.decisions.values(), *self.tickets.values()]


@dataclass(frozen=True)
class Grown:
    """What the prompts of one variant were."""

    variant: str
    turns: int
    prompts: int
    mean_tokens: int
    max_tokens: int
    over_window: int
    facts: int
    facts_kept: int
    broken: int
    """Prompts in which a call had no result directly behind it, or a result no call."""
    summaries: int
    by_turn: list[int]
    """Tokens of the longest prompt of each turn."""


class RecordingModel(BaseChatModel):
    """Answers by a function of the prompt, and hands every prompt to another with the tools it was offered."""

    answer: Callable[[list[BaseMessage]], AIMessage]
    seen: Callable[[list[BaseMessage], list[dict[str, Any]]], None] | None = None
    offered: list[dict[str, Any]] = []  # noqa: RUF012 - a pydantic field, copied for each instance

    @property
    def _llm_type(self) -> str:
        return "recording"

    def bind_tools(self, tools: Sequence[Any], **kwargs: Any) -> Runnable[Any, AIMessage]:
        self.offered[:] = [convert_to_openai_tool(one) for one in tools]
        return self.bind(**kwargs)

    def _generate(
        self,
        messages: list[BaseMessage],
        stop: list[str] | None = None,
        run_manager: CallbackManagerForLLMRun | None = None,
        **kwargs: Any,
    ) -> ChatResult:
        if self.seen is not None:
            self.seen(messages, self.offered)
        return ChatResult(generations=[ChatGeneration(message=self.answer(messages))])


def summariser(made: list[int]) -> RecordingModel:
    """Return a summariser that repeats what tells most of its prompt word for word, the newest first, to a fixed length."""

    def summary(prompt: list[BaseMessage]) -> AIMessage:
        made.append(1)
        found = dict.fromkeys(
            sentence.strip().lstrip("- ")
            for sentence in reversed(_SENTENCE.findall(str(prompt[-1].text)))
            if _TELLING.search(sentence)
        )
        lines, length = [], 0
        for sentence in found:
            if length + len(sentence) > SUMMARY:
                break
            lines.append(f"- {sentence}")
            length += len(sentence)
        lines.append(
            "- The user asks for the days of leave of their team. " + "They were answered each time. " * 60
        )
        facts = "\n".join(lines)[:SUMMARY]
        return AIMessage(
            f"## Decisions\nnone\n## Open questions\nnone\n## Confirmed facts\n{facts}\n## Consent\nnone"
        )

    return RecordingModel(answer=summary)


async def grown(memwarden: Memwarden, turns: int, progress: Progress) -> list[Grown]:
    """Hold the same conversation in every variant."""
    script = Script(turns)
    made: list[int] = []
    at = int(0.8 * WINDOW)

    def theirs(keep: Any, **more: Any) -> list[Any]:  # noqa: ANN401
        return [SummarizationMiddleware(summariser(made), trigger=("tokens", at), keep=keep, **more)]

    ours = Window(WINDOW)
    variants: dict[str, list[Any]] = {
        "no compaction": [],
        "LangChain, keeps 20 messages": theirs(("messages", 20)),
        # By default it shows its summariser the last 4,000 tokens of what leaves; here, all of it.
        f"LangChain, keeps {WINDOW // 2:,} tokens": theirs(
            ("tokens", WINDOW // 2), trim_tokens_to_summarize=None
        ),
        "Memwarden, no model": conversation_middleware(memwarden, window=ours),
        "Memwarden, same summariser": conversation_middleware(
            memwarden, window=ours, summariser=summariser(made)
        ),
    }
    found = []
    for name, middleware in variants.items():
        made.clear()
        mine = name.startswith("Memwarden")
        found.append(await _held(memwarden, script, name, middleware, made, progress, mine=mine))
    return found


async def _held(
    memwarden: Memwarden,
    script: Script,
    name: str,
    middleware: Sequence[Any],
    made: Sequence[int],
    progress: Progress,
    *,
    mine: bool,
) -> Grown:
    user, turn = memwarden.user("bench", name), 0
    sizes: list[list[int]] = [[] for _ in range(script.turns)]
    broken, last = 0, ""

    def seen(prompt: list[BaseMessage], offered: list[dict[str, Any]]) -> None:
        nonlocal broken, last
        sizes[turn].append(tokens_of(prompt, offered))  # type: ignore[arg-type]
        broken += not is_paired(prompt)
        last = "\n".join(str(message.text) for message in prompt) if turn == script.turns - 1 else ""

    graph: Any = create_agent(
        RecordingModel(answer=lambda prompt: script.answered(turn, prompt), seen=seen),
        _tools(script),
        system_prompt=RULES,
        middleware=middleware,
        context_schema=MemoryContext,
        checkpointer=await memwarden.checkpointer() if mine else InMemorySaver(),
    )
    task = progress.add_task(name, total=script.turns)
    # The peers keep one checkpoint a turn, or those of the variant that only grows would fill the machine's memory.
    durable: dict[str, Any] = {} if mine else {"durability": "exit"}
    for turn in range(script.turns):
        await graph.ainvoke(
            {"messages": [HumanMessage(script.asked(turn))]},
            user.config("growth"),
            context=MemoryContext(user.scope, "growth"),
            **durable,
        )
        progress.advance(task)
    every = [size for some in sizes for size in some]
    return Grown(
        name,
        script.turns,
        len(every),
        round(sum(every) / len(every)),
        max(every),
        sum(size > WINDOW for size in every),
        len(script.facts),
        sum(fact in last for fact in script.facts),
        broken,
        len(made),
        [max(some) for some in sizes],
    )


def is_paired(prompt: Sequence[BaseMessage]) -> bool:
    """Tell whether each answer with calls has their results directly behind it, each once, and no result stands elsewhere."""
    waiting: list[str] = []
    for message in prompt:
        if isinstance(message, ToolMessage):
            if message.tool_call_id not in waiting:
                return False
            waiting.remove(message.tool_call_id)
            continue
        if waiting:
            return False
        if isinstance(message, AIMessage):
            waiting = [str(call["id"]) for call in message.tool_calls]
    return not waiting


def _tools(script: Script) -> list[BaseTool]:
    @tool
    def leave_days(turn: int, part: str) -> str:
        """Return the table of leave days of the user's team."""
        size = LONG_RESULT if turn % 25 == 1 else RESULT
        row = f"row {part}{turn}: name, office in the north, days taken, days left, next leave in week {turn % 52}; "
        return (f"Leave of the team in week {turn % 52}. " + row * (size // len(row) + 1))[:size]

    @tool
    def open_ticket(turn: int) -> str:
        """Open a ticket for what the user asked."""
        log = "the request was routed to the team that answers for it; " * (RESULT // 57)
        return json.dumps({"ticket": script.tickets[turn], "state": "open", "log": log})

    return [leave_days, open_ticket]


def _calls(*named: tuple[str, dict[str, Any], str]) -> AIMessage:
    calls = [{"name": name, "args": args, "id": id_, "type": "tool_call"} for name, args, id_ in named]
    return AIMessage("", tool_calls=calls)
