"""What the options and arguments of several commands are called, and what exit codes mean."""

from __future__ import annotations

from enum import StrEnum
from pathlib import Path
from typing import Annotated

import typer

from memwarden.model.verdict import Origin

EXIT_MISTAKE = 1
"""Something could not be done; one sentence on stderr says what and what to do."""
EXIT_REFUSED = 3
"""`remember` or `correct` was understood, and the guard refused it."""

Tenant = Annotated[str, typer.Option("--tenant", help="Tenant the user belongs to.")]
User = Annotated[str, typer.Option("--user", help="User whose memory it is.")]
Url = Annotated[
    str | None,
    typer.Option(
        "--url",
        help="PostgreSQL to use, as the application role. Default: MEMWARDEN_DATABASE_URL, else embedded.",
    ),
]
DataDir = Annotated[Path | None, typer.Option("--data-dir", help="Folder of the embedded PostgreSQL.")]
AsJson = Annotated[bool, typer.Option("--json", help="Print JSON for a program to read.")]
RecordId = Annotated[str, typer.Argument(help="Id of the memory, as `memwarden memories` shows it.")]
ProposalId = Annotated[str, typer.Argument(help="Id of the proposal, as `memwarden proposals` shows it.")]
Purpose = Annotated[str, typer.Argument(help="Purpose, as the notice and `memwarden memories` word it.")]
Erase = Annotated[
    bool, typer.Option("--erase", help="Also empty what was kept; without it, it stays unseen.")
]


class Switch(StrEnum):
    """Where memory is switched to."""

    ON = "on"
    OFF = "off"


OriginOption = Annotated[
    Origin,
    typer.Option(
        "--origin", help="Whose words they are; only the user's own and the application's are stored."
    ),
]
