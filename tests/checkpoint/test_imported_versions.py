"""Versions of channels that were numbers are texts in the same order, and differ between branches."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from hypothesis import given
from hypothesis import strategies as st
from langgraph.checkpoint.base import ChannelVersions, Checkpoint, empty_checkpoint

from memwarden.checkpoint.imported_versions import versions_of
from memwarden.checkpoint.versions import next_version

numbers = st.one_of(
    st.integers(0, 10**9),
    st.integers(0, 4 * 10**6).map(lambda n: n / 4),
)


@given(st.lists(numbers, min_size=1, max_size=6), st.lists(numbers, min_size=1, max_size=6))
def test_versions_keep_their_order_and_what_they_were(first: list[float], second: list[float]) -> None:
    def checkpoint(name: str, versions: Mapping[str, Any], seen: Mapping[str, Any]) -> Checkpoint:
        return {
            **empty_checkpoint(),
            "id": name,
            "channel_versions": dict(versions),
            "versions_seen": {"n": dict(seen)},
        }

    old = {f"c{place}": version for place, version in enumerate(first)}
    new = {f"c{place}": version for place, version in enumerate(second)}
    parent = versions_of(checkpoint("1", old, {}), None)
    child = versions_of(checkpoint("2", new, old), parent)
    branch = versions_of(checkpoint("3", new, old), parent)
    kept_versions = sorted(child.ours.values())
    assert [number for number, _ in sorted(zip(new.values(), child.ours.values(), strict=True))] == sorted(
        second
    )
    assert [new[channel] for channel in sorted(child.ours, key=child.ours.__getitem__)] == sorted(second)
    assert kept_versions[0] > ""
    for channel, number in new.items():
        same = old.get(channel) == number
        assert (child.ours[channel] == parent.ours.get(channel)) is same
        assert (child.ours[channel] == branch.ours[channel]) is same
        if channel in old:
            assert (child.ours[channel] > child.ours_seen["n"][channel]) is (number > old[channel])
    assert child.new_since(parent).keys() == {c for c in new if old.get(c) != new[c]}
    texts = {channel: str(version) for channel, version in new.items()}
    assert versions_of(checkpoint("4", texts, texts), parent).ours == texts


@given(numbers, st.lists(numbers, max_size=6))
def test_what_comes_next_here_is_greater_than_all_that_came(first: float, more: list[float]) -> None:
    versions: ChannelVersions = {f"c{place}": version for place, version in enumerate([first, *more])}
    ours = versions_of({**empty_checkpoint(), "channel_versions": versions}, None).ours
    assert next_version(max(ours.values())) > max(ours.values())


def test_versions_that_only_a_snapshot_raised_are_those_of_their_channels() -> None:
    parent = versions_of({**empty_checkpoint(), "channel_versions": {"a:b": 3, "c": 4}}, None)
    child = versions_of(
        {
            **empty_checkpoint(),
            "channel_versions": {"a:b": 5, "c": 4},
            "versions_seen": {"__bumps__": {"node|a:b": 5, "node:a:b": 3, "node|c": 4, "node:c": 1}},
        },
        parent,
    )
    seen = child.ours_seen["__bumps__"]
    assert seen["node|a:b"] == child.ours["a:b"]
    assert seen["node:a:b"] == parent.ours["a:b"]
    assert seen["node|c"] == parent.ours["c"] == child.ours["c"]
    assert "" < seen["node:c"] < child.ours["c"]
