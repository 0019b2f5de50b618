"""The text of the configuration files, for any names."""

from __future__ import annotations

from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st
from psycopg.conninfo import conninfo_to_dict

from memwarden.db.file_lock import exclusive_lock, is_free, open_lock_file, try_lock, unlock
from memwarden.db.server_config import ident_map, mapped_roles, socket_uri

_NAMES = st.text(st.characters(exclude_categories=["Cs"], exclude_characters="\0"), min_size=1)


@given(owner=_NAMES, role=_NAMES, dbname=_NAMES)
def test_a_uri_carries_any_name(owner: str, role: str, dbname: str) -> None:
    read = conninfo_to_dict(socket_uri(Path("/run/some where"), owner, role, dbname))
    assert (read["user"], read["dbname"], read["requirepeer"]) == (role, dbname, owner)
    assert (read["host"], read["hostaddr"], read["port"]) == ("/run/some where", "", "5432")


@given(st.frozensets(st.from_regex(r"[a-z_][a-z0-9_]{0,62}", fullmatch=True)))
def test_the_roles_of_a_map_are_read_back(roles: frozenset[str]) -> None:
    assert mapped_roles(ident_map('DOMAIN\\o "x"', roles)) == roles


def test_a_lock_is_exclusive_and_the_wait_for_it_is_bounded(tmp_path: Path) -> None:
    path = tmp_path / "lock"
    with exclusive_lock(path, 1), pytest.raises(TimeoutError), exclusive_lock(path, 0.1):
        pass
    assert is_free(path)
    shared = open_lock_file(path)
    assert try_lock(shared, exclusive=False)
    assert not is_free(path)
    unlock(shared)
    assert is_free(path)


def test_a_lock_whose_file_was_removed_by_its_holder_is_taken_on_the_new_file(tmp_path: Path) -> None:
    import threading

    path = tmp_path / "lock"
    waiting = threading.Event()
    taken: list[bool] = []

    def wait() -> None:
        waiting.set()
        with exclusive_lock(path, 5):
            taken.append(not is_free(path))

    with exclusive_lock(path, 1):
        thread = threading.Thread(target=wait)
        thread.start()
        waiting.wait()
        threading.Event().wait(0.1)
        path.unlink()
    thread.join()
    assert taken == [True]
