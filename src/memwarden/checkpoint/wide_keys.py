"""Keys of a thread's items in wide rows: what is read together stands together. Pure."""

from __future__ import annotations

import hashlib

MOST = 240
"""Characters of one name in a key; a longer one is replaced by its hash."""

END = "~"
"""Comes after every character that a name in a key may have."""


def part(number: int) -> str:
    """Return the key of a part."""
    return f"p/{number:016x}"


def part_number(key: str) -> int:
    """Return the number in the key of a part."""
    return int(key.partition("/")[2], 16)


def names(first: int) -> str:
    """Return the key of the names of the parts that were written together, by the number of the first."""
    return f"n/{first:016x}"


def checkpoint(ns: str, checkpoint_id: str) -> str:
    """Return the key of a checkpoint."""
    return f"c/{name(ns)}/{name(checkpoint_id)}"


def value(ns: str, channel: str, version: str) -> str:
    """Return the key of the value of a channel at a version."""
    return f"v/{name(ns)}/{name(channel)}/{name(version)}"


def writes(ns: str, checkpoint_id: str, task_id: str) -> str:
    """Return the key of what a task wrote after a checkpoint."""
    return f"w/{name(ns)}/{name(checkpoint_id)}/{name(task_id)}"


def all_of(kind: str) -> tuple[str, str]:
    """Return the first and the end of the keys of a kind."""
    return f"{kind}/", f"{kind}/{END}"


def checkpoints_of(ns: str) -> tuple[str, str]:
    """Return the first and the end of the keys of a namespace's checkpoints."""
    return f"c/{name(ns)}/", f"c/{name(ns)}/{END}"


def writes_between(ns: str, first_id: str, last_id: str) -> tuple[str, str]:
    """Return the first and the end of the keys of what was written after checkpoints, the last of them included."""
    return f"w/{name(ns)}/{name(first_id)}/", f"w/{name(ns)}/{name(last_id)}/{END}"


def writes_after(ns: str, checkpoint_id: str) -> tuple[str, str]:
    """Return the first and the end of the keys of what was written after a checkpoint."""
    return writes_between(ns, checkpoint_id, checkpoint_id)


def piece(digest: str, number: int) -> str:
    """Return the key of a piece of an item that is larger than the store takes."""
    return f"x/{digest}/{number:08x}"


def digest_of_piece(key: str) -> str:
    """Return whose piece a key is of."""
    return key.split("/")[1]


def user(user_id: str) -> str:
    """Return the key by which a tenant's users are found."""
    return f"u/{name(user_id)}"


def fence(thread_id: str | None) -> str:
    """Return the key of the last erasure of a user, or of one of their conversations."""
    return "e/" if thread_id is None else f"e/{name(thread_id)}"


def hidden(thread_id: str) -> str:
    """Return the key of the mark that says how many pages name a thread's hidden checkpoints."""
    return f"h/{name(thread_id)}"


def hidden_page(thread_id: str, place: int) -> str:
    """Return the key of a page that names hidden checkpoints of a thread."""
    return f"{hidden(thread_id)}/{place:08x}"


def hidden_pages(thread_id: str) -> tuple[str, str]:
    """Return the first and the end of the keys of these pages."""
    return f"{hidden(thread_id)}/", f"{hidden(thread_id)}/{END}"


def name(text: str) -> str:
    """Return a name as it stands in a key: printable ASCII without a slash or a tilde.

    Names of one length keep the order of their UTF-8 bytes; a checkpoint's ids, which tell the time, are such.
    """
    plain = "".join(_ESCAPED[byte] for byte in text.encode("utf-8", "surrogatepass"))
    if len(plain) <= MOST:
        return plain
    return "}}" + hashlib.blake2b(text.encode("utf-8", "surrogatepass"), digest_size=32).hexdigest()


def _escaped(byte: int) -> str:
    if byte < ord("0"):
        return f"!{byte:02x}"
    return f"}}{byte:02x}" if byte >= ord("}") else chr(byte)


_ESCAPED = tuple(map(_escaped, range(256)))
