"""The skeleton of a checkpoint: everything but the values of its channels. Pure."""

from __future__ import annotations

from collections.abc import Mapping
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


def metadata_of(config: RunnableConfig, metadata: CheckpointMetadata) -> CheckpointMetadata:
    """Return the metadata to keep: what the graph says, and its run.

    LangGraph's savers also copy every scalar of ``configurable`` there, which is where applications put e-mail
    addresses and keys.
    """
    run_id = metadata.get(RUN_ID) or _run_id(config)
    return cast("CheckpointMetadata", {**metadata, **({RUN_ID: run_id} if run_id else {})})


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


def _run_id(config: RunnableConfig) -> str | None:
    for holder in (config.get("metadata"), config.get("configurable")):
        found = (holder or {}).get(RUN_ID)
        if found is not None:
            return str(found)
    return None
