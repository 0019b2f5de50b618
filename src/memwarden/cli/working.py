"""The commands about background work: the worker, and putting one user's memory in order by hand."""

from __future__ import annotations

import asyncio
import signal
from typing import Annotated

import typer
from rich.console import Console

from memwarden.cli import present
from memwarden.cli.options import AsJson, DataDir, Tenant, Url, User
from memwarden.cli.running import console, print_result, silence_the_queue, with_memwarden, with_user
from memwarden.memory.candidates import ChatModelSuggester, Suggester
from memwarden.memory.user import UserMemory
from memwarden.memory.warden import Memwarden
from memwarden.settings import read_settings

working_commands = typer.Typer()


@working_commands.command()
def worker(
    once: Annotated[
        bool,
        typer.Option("--once", help="Do what is to be done now, and leave; for a scheduler of your own."),
    ] = False,
    concurrency: Annotated[
        int, typer.Option("--concurrency", min=1, max=64, help="Jobs at the same time.")
    ] = 4,
    url: Url = None,
    data_dir: DataDir = None,
    json: AsJson = False,
) -> None:
    """Do the background work: finish erasures, purge, put memories in order, look through conversations that are over.

    Run one or more beside your application. A worker that is killed loses nothing: another does its jobs again.
    """
    from memwarden.jobs import work_once, work_until_stopped
    from memwarden.jobs.queue import Told
    from memwarden.jobs.work import Done, Job

    out = console()
    silence_the_queue()

    def told(job: Job, done: Done) -> None:
        if json:
            present.print_json_line(out, {"job": done.kind, "counts": done.counts})
        else:
            out.print(present.done(done.kind, done.counts))

    async def work(memwarden: Memwarden) -> None:
        if once:
            await work_once(memwarden.dependencies, told)
        else:
            await _until_asked_to_stop(memwarden, told, concurrency)

    async def _until_asked_to_stop(memwarden: Memwarden, told: Told, concurrency: int) -> None:
        task = asyncio.create_task(work_until_stopped(memwarden.dependencies, told, concurrency=concurrency))
        for number in (signal.SIGINT, signal.SIGTERM):
            asyncio.get_running_loop().add_signal_handler(number, task.cancel)
        if not json:
            out.print("The worker is ready; stop it with Ctrl-C.", style="dim")
        try:
            await task
        except asyncio.CancelledError:
            if not task.cancelled():
                raise

    with_memwarden(url, data_dir, work, suggester=_suggester(out, json))


def _suggester(out: Console, json: bool) -> Suggester | None:
    model = read_settings().model
    if model is None:
        return None
    from langchain.chat_models import init_chat_model

    if not json:
        out.print(f"Conversations that are over are shown to {model} to find candidates.", style="dim")
    return ChatModelSuggester(init_chat_model(model))


@working_commands.command()
def jobs(url: Url = None, data_dir: DataDir = None, json: AsJson = False) -> None:
    """Show how much background work waits, runs and has failed, by kind."""
    from memwarden.jobs import work_state

    async def work(memwarden: Memwarden) -> None:
        found = await work_state(memwarden.dependencies)
        print_result(
            json, found, lambda out: out.print(present.work_table(found) if found else "The queue is empty.")
        )

    with_memwarden(url, data_dir, work)


@working_commands.command()
def consolidate(
    tenant: Tenant, user: User, url: Url = None, data_dir: DataDir = None, json: AsJson = False
) -> None:
    """Put a user's memory in order: purge, merge doubles, ask about contradictions, renew vectors."""

    async def work(memory: UserMemory) -> None:
        done = await memory.consolidate()
        counts = {
            "purged": done.purged,
            "reembedded": done.reembedded,
            "merged": done.merged,
            "asked": done.asked,
        }
        print_result(json, done, lambda out: out.print(present.done("consolidate", counts)))

    with_user(tenant, user, url, data_dir, work)
