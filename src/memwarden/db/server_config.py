"""What the embedded server's configuration files say."""

from __future__ import annotations

import re
from collections.abc import Iterable
from pathlib import Path
from urllib.parse import quote, urlencode

IDENT_MAP = "memwarden"
"""The name of the map from the operating system's account to database roles."""

AUTHENTICATION = f"""\
# Written by Memwarden at each start. Only the socket, only the account below pg_ident.conf names.
local all all peer map={IDENT_MAP}
"""

_SETTINGS = """\
# Written by Memwarden at each start: changes here are lost.
listen_addresses = ''
port = 5432
unix_socket_directories = '"{socket_folder}"'
unix_socket_permissions = 0700
max_connections = 200
shared_buffers = '128MB'
fsync = on
full_page_writes = on
synchronous_commit = on
timezone = 'UTC'
log_timezone = 'UTC'
lc_messages = 'C'
allow_alter_system = off

# No text of a statement and no content of a row may reach the log. An ERROR can quote a value in its
# message, so errors go to the client alone; what the server itself reports (LOG, FATAL, PANIC) is kept.
log_min_messages = log
log_min_error_statement = panic
log_error_verbosity = terse
log_statement = none
log_duration = off
log_min_duration_statement = -1
log_min_duration_sample = -1
log_transaction_sample_rate = 0
log_parameter_max_length = 0
log_parameter_max_length_on_error = 0
log_connections = ''
log_disconnections = off
log_checkpoints = off
log_autovacuum_min_duration = -1
log_temp_files = -1
log_line_prefix = '%m [%p] '

# One file for each day of the week, begun anew when the day returns.
logging_collector = on
log_destination = 'stderr'
log_directory = 'log'
log_filename = 'server-%a.log'
log_file_mode = 0600
log_rotation_age = '1d'
log_rotation_size = 0
log_truncate_on_rotation = on
"""


def settings(socket_folder: Path) -> str:
    """Return the settings of the server; the folder's path holds no quote, see `socket_folder`."""
    return _SETTINGS.format(socket_folder=socket_folder)


def ident_map(account: str, roles: Iterable[str]) -> str:
    """Return the map that lets this account of the operating system connect as these roles."""
    name = account.replace('"', '""')
    return "".join(f'{IDENT_MAP} "{name}" "{role}"\n' for role in sorted(roles))


def mapped_roles(text: str) -> frozenset[str]:
    """Return the roles that a map written by `ident_map` lets in."""
    return frozenset(re.findall(r'"(\w+)"$', text, re.MULTILINE))


def socket_uri(folder: Path, owner: str, role: str, dbname: str) -> str:
    """Return the URI of a database on the server of account `owner` whose socket is in this folder."""
    options = {
        "host": str(folder),
        "port": "5432",
        "requirepeer": owner,  # nobody else's server on that socket will do
        # The caller's PG* variables count for what is left out, so what could lead elsewhere is said.
        "hostaddr": "",
        "sslmode": "disable",
        "gssencmode": "disable",
        "channel_binding": "disable",
    }
    return f"postgresql://{quote(role, safe='')}@/{quote(dbname, safe='')}?{urlencode(options, quote_via=quote, safe='')}"
