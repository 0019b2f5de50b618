"""Versions of channels of an imported thread: text stays as it is, and numbers become text, in the order they had.

LangGraph's savers in PostgreSQL and SQLite count in text, and so does ours; the one in MongoDB counts in numbers, which
cannot be compared with what a graph that goes on here counts on with. A number may also be given twice, on two branches
of a thread, so that it alone does not name a value. Pure.
"""

from __future__ import annotations

import hashlib
import re
from collections.abc import Mapping
from dataclasses import dataclass

from langgraph.checkpoint.base import ChannelVersions, Checkpoint

Seen = Mapping[str, ChannelVersions]
"""What each node saw: versions by channel."""

_OF_A_NODE = re.compile(r"[|:]")
"""Between a node and a channel, where LangGraph notes which versions were raised only to save a snapshot."""


@dataclass(frozen=True, slots=True)
class Versions:
    """The versions of a checkpoint as they are at its source, and as they are kept."""

    theirs: ChannelVersions
    ours: dict[str, str]
    theirs_seen: Seen
    ours_seen: dict[str, dict[str, str]]

    def new_since(self, parent: Versions | None) -> ChannelVersions:
        """Return the versions that differ from the parent's: those whose values are saved with the checkpoint."""
        before = {} if parent is None else parent.ours
        return {channel: version for channel, version in self.ours.items() if before.get(channel) != version}


def versions_of(checkpoint: Checkpoint, parent: Versions | None) -> Versions:
    """Return the versions of a checkpoint; a number it has from its parent is kept as it was there."""
    before = parent or Versions({}, {}, {}, {})
    theirs = checkpoint["channel_versions"]
    branch = hashlib.blake2b(checkpoint["id"].encode(), digest_size=8).hexdigest()
    ours = {
        channel: before.ours[channel]
        if channel in before.ours and before.theirs[channel] == version
        else _text(version, branch)
        for channel, version in theirs.items()
    }

    def seen(node: str, key: str, version: str | float) -> str:
        """Return what a node saw: what it had seen before, or a version the channel has or had."""
        if before.theirs_seen.get(node, {}).get(key) == version:
            return before.ours_seen[node][key]
        channel = key if key in theirs or key in before.theirs else _OF_A_NODE.split(key, maxsplit=1)[-1]
        for known, kept in ((before.theirs, before.ours), (theirs, ours)):
            if known.get(channel) == version:
                return kept[channel]
        return _text(version, "")

    theirs_seen = checkpoint["versions_seen"]
    ours_seen = {
        node: {key: seen(node, key, version) for key, version in entries.items()}
        for node, entries in theirs_seen.items()
    }
    return Versions(theirs, ours, theirs_seen, ours_seen)


def _text(version: str | float, branch: str) -> str:
    if isinstance(version, str):
        return version
    whole = int(version)
    return f"{whole:032}.{f'{version - whole:.16f}'[2:]}.{branch}"
