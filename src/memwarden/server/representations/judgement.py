"""What the guard says about a text."""

from __future__ import annotations

from typing import Annotated

from pydantic import BaseModel, Field

from memwarden.model.verdict import Decision, Origin, Reason
from memwarden.server.representations.form import ASKED, SHOWN, Text


class ToJudge(BaseModel):
    """A sentence somebody would like to be remembered."""

    model_config = ASKED

    text: Annotated[Text, Field(examples=["I prefer replies in Telugu"])]
    origin: Origin = Origin.USER_TURN


class Finding(BaseModel):
    """A span of the text that speaks against keeping it, in characters, the end exclusive."""

    model_config = SHOWN

    reason: Reason
    start: int
    end: int
    kind: str


class Statement(BaseModel):
    """The form in which it would be kept."""

    model_config = SHOWN

    content: str
    key: str | None
    purpose: str | None


class Judgement(BaseModel):
    """The decision; ``redacted`` is the text without secrets and identity numbers."""

    model_config = SHOWN

    decision: Decision
    reasons: list[Reason]
    stored: Statement | None
    redacted: str
    explanation: str
    findings: list[Finding]
