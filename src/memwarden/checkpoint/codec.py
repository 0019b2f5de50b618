"""The codec: a value becomes parts, each of which a thread keeps once, and a short list of references to them.

Each message of a list is a part, and so is a long text inside one, because the same text comes again under other ids:
first as what a node wrote, then as what the channel holds. A part is named by the hash of its bytes. Pure: values
and bytes in, bytes and values out.
"""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from enum import IntEnum
from typing import Any, Protocol

import zstandard
from langchain_core.messages import BaseMessage
from langgraph.checkpoint.serde.types import _DeltaSnapshot

LONG_TEXT = 1_500
"""Characters from which a message's text is a part of its own; below, a second part costs more than a second copy."""

HASH_BYTES = 16
WORTH_COMPRESSING = 64
_LEVEL = 3


class Serde(Protocol):
    """LangGraph's serialiser: an object to a type name and bytes, and back."""

    def dumps_typed(self, obj: Any) -> tuple[str, bytes]:  # noqa: ANN401 - anything a graph's state holds
        """Return the type and the bytes of an object."""
        ...

    def loads_typed(self, data: tuple[str, bytes]) -> Any:  # noqa: ANN401
        """Return the object."""
        ...


class Form(IntEnum):
    """What the parts of a value make."""

    NOTHING = 0
    """The channel has a version, and no value."""
    ONE = 1
    LIST = 2
    SNAPSHOT = 3
    """A list inside LangGraph's mark for a whole value among deltas."""


class _Shape(IntEnum):
    """What the bytes of a part are."""

    WHOLE = 0
    """An object."""
    MESSAGE = 1
    """A message whose text is the next reference."""
    TEXT = 2
    SPLIT = 3
    """Bytes too long for one part: the next references, so many as it says, joined, are the part."""
    PIECE = 4


@dataclass(frozen=True, slots=True)
class Encoded:
    """A value: its form, and the hashes of its parts in the order in which they are read again."""

    form: Form
    parts: tuple[bytes, ...]


Remembered = Callable[[BaseMessage, Serde, Callable[[BaseMessage], tuple[bytes, ...]]], tuple[bytes, ...]]
"""Gives what a function makes of a message, with a serialiser."""


class Encoder:
    """Encodes values of one thread, and collects their parts by hash.

    ``limit`` is the number of bytes a part may have in the engine; a longer one is split. ``name`` gives a part's name,
    equal for equal bytes. ``remembered`` gives the bytes of a message, by the function it is given or from memory.
    """

    def __init__(
        self,
        serde: Serde,
        limit: int,
        name: Callable[[bytes], bytes],
        remembered: Remembered = lambda message, serde, make: make(message),
    ) -> None:
        self._serde = serde
        self._remembered = remembered
        self._limit = limit
        self._name = name
        self.parts: dict[bytes, bytes] = {}

    def encoded(self, value: object) -> Encoded:
        """Return a value as references to its parts."""
        if type(value) is list:
            return Encoded(Form.LIST, self._items(value))
        if isinstance(value, _DeltaSnapshot) and type(value.value) is list:
            return Encoded(Form.SNAPSHOT, self._items(value.value))
        return Encoded(Form.ONE, tuple(self._item(value)))

    def _items(self, items: Iterable[object]) -> tuple[bytes, ...]:
        return tuple(part for item in items for part in self._item(item))

    def _item(self, item: object) -> Iterator[bytes]:
        if isinstance(item, BaseMessage):
            whole = self._remembered(item, self._serde, self._message)
        else:
            whole = (bytes([_Shape.WHOLE]) + self._dumped(item),)
        for raw in whole:
            yield from self._part(raw)

    def _message(self, message: BaseMessage) -> tuple[bytes, ...]:
        if isinstance(message.content, str) and len(message.content) >= LONG_TEXT:
            bare = self._dumped(message.model_copy(update={"content": ""}))
            text = message.content.encode("utf-8", "surrogatepass")
            return bytes([_Shape.MESSAGE]) + bare, bytes([_Shape.TEXT]) + text
        return (bytes([_Shape.WHOLE]) + self._dumped(message),)

    def _dumped(self, item: object) -> bytes:
        name, data = self._serde.dumps_typed(item)
        return bytes([len(name)]) + name.encode() + data

    def _part(self, raw: bytes) -> Iterator[bytes]:
        if len(raw) <= self._limit:
            yield self._add(raw)
            return
        shape, size = raw[:1], self._limit - 1
        pieces = [raw[start : start + size] for start in range(1, len(raw), size)]
        yield self._add(bytes([_Shape.SPLIT]) + shape + len(pieces).to_bytes(4, "big"))
        for piece in pieces:
            yield self._add(bytes([_Shape.PIECE]) + piece)

    def _add(self, raw: bytes) -> bytes:
        name = self._name(raw)
        self.parts.setdefault(name, raw)
        return name


def content_name(raw: bytes) -> bytes:
    """Return the name of a part that anybody who has its bytes can tell: their hash."""
    return hashlib.blake2b(raw, digest_size=HASH_BYTES).digest()


def decoded(form: Form, parts: Sequence[bytes], serde: Serde) -> Any:  # noqa: ANN401 - whatever was encoded
    """Return the value that parts in the order of their references make."""
    stream = iter(parts)
    items = [_read(raw, stream, serde) for raw in stream]
    if form is Form.ONE:
        return items[0]
    return _DeltaSnapshot(items) if form is Form.SNAPSHOT else items


def _read(raw: bytes, following: Iterator[bytes], serde: Serde) -> object:
    shape, data = _joined(raw, following)
    item = _loaded(data, serde)
    if shape is _Shape.MESSAGE:
        _, text = _joined(next(following), following)
        item.content = text.decode("utf-8", "surrogatepass")
    return item


def _joined(raw: bytes, following: Iterator[bytes]) -> tuple[_Shape, bytes]:
    shape = _Shape(raw[0])
    if shape is not _Shape.SPLIT:
        return shape, raw[1:]
    count = int.from_bytes(raw[2:6], "big")
    return _Shape(raw[1]), b"".join(next(following)[1:] for _ in range(count))


def _loaded(data: bytes, serde: Serde) -> Any:  # noqa: ANN401
    end = 1 + data[0]
    return serde.loads_typed((data[1:end].decode(), data[end:]))


def squeezed(raw: bytes) -> bytes:
    """Return bytes as they are kept: compressed where that pays, with one byte before them that says which."""
    if len(raw) >= WORTH_COMPRESSING:
        packed = zstandard.ZstdCompressor(level=_LEVEL).compress(raw)
        if len(packed) < len(raw) * 0.9:
            return b"\x01" + packed
    return b"\x00" + raw


def unsqueezed(kept: bytes) -> bytes:
    """Return what was squeezed."""
    return unsqueezer()(kept)


def unsqueezer() -> Callable[[bytes], bytes]:
    """Return `unsqueezed` for many, by one thread: what it needs is set up once."""
    decompress = zstandard.ZstdDecompressor().decompress
    return lambda kept: decompress(kept[1:]) if kept[:1] == b"\x01" else kept[1:]


def packed_refs(numbers: Sequence[int]) -> bytes:
    """Return the numbers of parts in few bytes: each as its distance from the one before, and runs shrink to nothing."""
    out = bytearray()
    before = 0
    for number in numbers:
        step = number - before
        before = number
        value = (step << 1) ^ (step >> 63)  # small distances in both directions give small values
        while value > 0x7F:
            out.append(value & 0x7F | 0x80)
            value >>= 7
        out.append(value)
    return squeezed(bytes(out))


def unpacked_refs(packed: bytes) -> list[int]:
    """Return the numbers that were packed."""
    numbers: list[int] = []
    before, value, shift = 0, 0, 0
    for byte in unsqueezed(packed):
        value |= (byte & 0x7F) << shift
        shift += 7
        if byte < 0x80:
            before += (value >> 1) ^ -(value & 1)
            numbers.append(before)
            value, shift = 0, 0
    return numbers


def parts_of(refs: Sequence[int], kept: Mapping[int, bytes]) -> list[bytes]:
    """Return the parts that references name; raise `KeyError` for one that is not there."""
    return [kept[number] for number in refs]
