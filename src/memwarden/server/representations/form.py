"""The forms of what comes in and of what goes out."""

from __future__ import annotations

from typing import Annotated

from pydantic import ConfigDict, Field, StringConstraints

from memwarden.memory.text import MAX_TEXT
from memwarden.model.scope import MAX_NAME_LENGTH

ASKED = ConfigDict(extra="forbid", frozen=True)
"""What a request says; a name that is not known is a mistake, not something to pass over."""
SHOWN = ConfigDict(from_attributes=True, frozen=True)
"""What an answer shows, read off a value of the model; the scope is not part of it."""

NO_NUL = r"^[^\x00]*$"
Text = Annotated[str, StringConstraints(min_length=1, max_length=MAX_TEXT)]
Name = Annotated[str, StringConstraints(min_length=1, max_length=MAX_NAME_LENGTH, pattern=NO_NUL)]
"""Of a conversation, a message or an answer; any characters but NUL."""
RecordId = Annotated[str, Field(max_length=MAX_NAME_LENGTH, examples=["01K0Z9V7Y2M4Q8R6T5W3X1A0BC"])]
