"""The skeleton of a checkpoint: everything but the values of its channels. Pure."""

from __future__ import annotations

from collections.abc import Collection, Mapping
from typing import Any, cast

from langchain_core.runnables import RunnableConfig
from langgraph.checkpoint.base import Checkpoint, CheckpointMetadata

from memwarden.checkpoint.codec import Serde

RUN_ID = "run_id"


def packed(checkpoint: Checkpoint, metadata: CheckpointMetadata, serde: Serde) -> bytes:
    """Return a checkpoint without its values, and its metadata, as bytes."""
    bare = {name: value for name, value in checkpoint.items() if name != "channel_values"}
    name, data = serde.dumps_typed([bare, dict(metadata)])
    return bytes([len(name)]) + name.encode() + data


def unpacked(raw: bytes, serde: Serde) -> tuple[dict[str, Any], CheckpointMetadata]:
    """Return the checkpoint without its values, and its metadata."""
    end = 1 + raw[0]
    bare, metadata = serde.loads_typed((raw[1:end].decode(), raw[end:]))
    return bare, cast("CheckpointMetadata", metadata)


def metadata_of(
    config: RunnableConfig, metadata: CheckpointMetadata, asked_for: Collection[str] = ()
) -> CheckpointMetadata:
    """Return the metadata to keep: what the graph says, its run, and what is asked for of the run's configuration.

    LangGraph's savers copy every scalar of ``configurable`` there, which is where applications put e-mail
    addresses and keys.
    """
    run_id = metadata.get(RUN_ID) or _run_id(config)
    told = {name: value for name, value in _told(config).items() if name in asked_for and _is_scalar(value)}
    return cast("CheckpointMetadata", {**told, **metadata, **({RUN_ID: run_id} if run_id else {})})


def facts_of(metadata: Mapping[str, Any]) -> dict[str, Any]:
    """Return what of the metadata can be searched: what JSON can carry and PostgreSQL can hold."""
    return {name: value for name, value in metadata.items() if _is_plain(value) and _is_plain(name)}


def _is_plain(value: object) -> bool:
    if value is None or isinstance(value, bool):
        return True
    if isinstance(value, int | float):
        return abs(value) < 1e15
    if isinstance(value, str):
        return "\0" not in value and not any("\ud800" <= ch <= "\udfff" for ch in value)
    return False


def _is_scalar(value: object) -> bool:
    return isinstance(value, str | int | float)


def _run_id(config: RunnableConfig) -> str | None:
    found = _told(config).get(RUN_ID)
    return None if found is None else str(found)


def _told(config: RunnableConfig) -> dict[str, Any]:
    """Return what a run's configuration says, by name; its metadata come first."""
    return {**(config.get("configurable") or {}), **(config.get("metadata") or {})}
