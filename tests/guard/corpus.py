"""The labelled sets that the guard is measured on, as typed lines."""

from __future__ import annotations

import base64
import hashlib
import json
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from memwarden.model.verdict import Candidate, Origin

DATA = Path(__file__).parent.parent / "data" / "guard"


@dataclass(frozen=True)
class Line:
    number: int
    text: str
    origin: Origin
    label: str
    lang: str

    @property
    def candidate(self) -> Candidate:
        return Candidate(self.text, self.origin)


@dataclass(frozen=True)
class SecretString:
    id: str
    category: str
    text: str
    spans: tuple[str, ...]


def _text(entry: dict[str, Any]) -> str:
    return str(entry["text"]) if "text" in entry else base64.b64decode(entry["text_b64"]).decode()


def guard_lines() -> list[Line]:
    return lines_of(DATA / "guard.jsonl")


def lines_of(path: Path) -> list[Line]:
    lines = path.read_text(encoding="utf-8").splitlines()
    entries = [json.loads(line) for line in lines if line.strip()]
    return [
        Line(number, _text(entry), Origin(entry["origin"]), entry["label"], entry["lang"])
        for number, entry in enumerate(entries, start=1)
    ]


def training_sets() -> list[Path]:
    """Return the sets the linear head is taught with; what lies in heldout/ is never among them."""
    first = [DATA / f"{name}.jsonl" for name in ("guard", "second", "third")]
    return [*first, *sorted((DATA / "training").glob("*.jsonl"))]


def held_out_sets() -> list[Path]:
    """Return the sets that no rule was written for and no head was taught with."""
    return sorted((DATA / "heldout").glob("*.jsonl"))


def digest_of(paths: list[Path]) -> str:
    """Return a name for exactly this content."""
    return hashlib.sha256(b"".join(path.read_bytes() for path in paths)).hexdigest()


def secret_strings() -> list[SecretString]:
    entries = json.loads((DATA / "secrets.json").read_text(encoding="utf-8"))["strings"]
    return [
        SecretString(
            entry["id"],
            entry["cat"],
            _text(entry),
            tuple(base64.b64decode(span).decode() for span in entry.get("spans_b64", [])),
        )
        for entry in entries
    ]


def attack_texts() -> list[tuple[str, str]]:
    data = json.loads((DATA / "candidates.json").read_text(encoding="utf-8"))
    return [(entry["id"], entry["text"]) for part in ("injection", "policy_refusals") for entry in data[part]]


def benign_texts() -> list[tuple[str, str]]:
    data = json.loads((DATA / "candidates.json").read_text(encoding="utf-8"))
    return [(entry["id"], entry["text"]) for entry in data["benign"]]
