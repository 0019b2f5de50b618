"""A serialiser for savers that are imported from: it reads types that are allowed, and refuses a value it cannot read whole.

LangGraph's own turns an object of another type into its bare fields, which a copy would then keep for good.
"""

from __future__ import annotations

import json
import re
from collections import Counter
from collections.abc import Collection
from typing import Any

from langgraph.checkpoint.serde._msgpack import SAFE_MSGPACK_TYPES
from langgraph.checkpoint.serde.jsonplus import (
    EXT_DELTA_SNAPSHOT,
    EXT_NUMPY_ARRAY,
    JsonPlusSerializer,
)

from memwarden.errors import NotImportedError

TypeName = tuple[str, str]
"""A module and a class in it."""

_NAMEABLE = re.compile(r"[\w.]{1,100}:\w{1,100}")


class StrictSerializer:
    """Reads what LangGraph's serialiser wrote: the standard types, LangChain's, LangGraph's, and those given.

    Raises `NotImportedError` that names the type for an object of any other, and for what is pickled or encrypted.
    """

    def __init__(self, types: Collection[TypeName] = ()) -> None:
        self._given = frozenset(types)
        self._inner = JsonPlusSerializer(
            allowed_msgpack_modules=tuple(types) or None,
            allowed_json_modules=[(*module.split("."), name) for module, name in types] or None,
        )

    def dumps_typed(self, obj: Any) -> tuple[str, bytes]:  # noqa: ANN401 - whatever a graph keeps
        """Return the type and the bytes of an object."""
        return self._inner.dumps_typed(obj)

    def loads_typed(self, data: tuple[str, bytes]) -> Any:  # noqa: ANN401
        """Return the object, with every object in it."""
        try:
            named = _types_in(data)
            self._require_allowed(named)
            value = self._inner.loads_typed(data)
            if self._given & named.keys():
                self._require_read(named, value)
        except (NotImplementedError, ValueError, TypeError, LookupError) as error:
            raise NotImportedError(
                "The thread holds a value that is pickled, encrypted or damaged, and such a value is not read; save it with "
                "LangGraph's default serializer first."
            ) from error
        return value

    def _require_allowed(self, named: Collection[TypeName]) -> None:
        for module, name in sorted(set(named) - self._given - SAFE_MSGPACK_TYPES):
            spelled = f"{module}:{name}"
            if not _NAMEABLE.fullmatch(spelled):
                raise NotImportedError(
                    "The thread holds an object of a type whose name is no name; it is not read."
                )
            raise NotImportedError(
                f"The thread holds an object of the type {spelled}, which is not read; where it can be imported and is to be "
                f"trusted, allow it with --allow-type {spelled}."
            )

    def _require_read(self, named: Counter[TypeName], value: object) -> None:
        """Refuse a value in which an object of a given type did not come to be."""
        lost = named - _types_in(self._inner.dumps_typed(value))
        for module, name in sorted(self._given & lost.keys()):
            raise NotImportedError(
                f"An object of the type {module}:{name} could not be made of what the thread holds; import it where the "
                "application is installed in the version that saved it."
            )


def _types_in(data: tuple[str, bytes]) -> Counter[TypeName]:
    """Return the types of the objects in bytes, as they are named there, each as often as it comes."""
    found: Counter[TypeName] = Counter()

    def note(module: object, name: object) -> None:
        # What is one module in one version of Python is two in another.
        found[str(module).removesuffix("._local"), str(name)] += 1

    def packed(code: int, raw: bytes) -> None:
        held = reader.loads_typed(("msgpack", raw))
        if code not in (EXT_DELTA_SNAPSHOT, EXT_NUMPY_ARRAY):
            note(held[0], held[1])

    def spelled(envelope: dict[str, Any]) -> dict[str, Any]:
        if envelope.get("lc") == 2 and envelope.get("type") == "constructor":
            *module, name = envelope["id"]
            note(".".join(module), name)
        return envelope

    reader = JsonPlusSerializer(__unpack_ext_hook__=packed)
    if data[0] == "msgpack":
        reader.loads_typed(data)
    elif data[0] == "json":
        json.loads(data[1], object_hook=spelled)
    return found
