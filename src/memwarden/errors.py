"""Every exception Memwarden raises on purpose, each with a sentence that says what to do next."""

from __future__ import annotations


class MemwardenError(Exception):
    """The root of all errors of this library; its text is safe to show and holds no remembered content."""


class ConfigurationError(MemwardenError):
    """A setting or an argument of start-up cannot be used as it is."""


class InvalidInputError(MemwardenError, ValueError):
    """A text, an identifier or a number the caller gave cannot be accepted; nothing was written."""


class NotFoundError(MemwardenError, LookupError):
    """No such record for this user; the answer is the same for a record of somebody else."""


class StateConflictError(MemwardenError):
    """The request comes too late: the proposal was decided already, or everything about the user was erased meanwhile."""


class ThreadBusyError(StateConflictError):
    """Another run of the same thread is under way, or went on with it since this one began; what came too late was not saved."""


class ConsentError(MemwardenError):
    """The user has switched memory off, or not agreed to the purpose; their consent has to be recorded first."""


class ReceiptError(MemwardenError, ValueError):
    """A receipt was altered, was not signed by the key given, or is about somebody else."""


class SealError(MemwardenError):
    """What was sealed cannot be opened: it was altered, moved or never sealed, or its key is missing."""


class NotImportedError(MemwardenError):
    """A thread could not be copied as it is; nothing of it was kept."""


class DatabaseError(MemwardenError):
    """The database could not do what was asked; the cause is chained."""


class DatabaseUnavailableError(DatabaseError):
    """The database cannot be reached, or refused the connection."""


class UnsupportedDatabaseError(DatabaseError):
    """The server lacks something Memwarden needs: PostgreSQL 15 or later with pgvector 0.7 or later."""


class UnsafeRoleError(DatabaseError):
    """The connection's role is not held by row-level security, so Memwarden refuses to start with it."""


class SchemaError(DatabaseError):
    """The tables are missing, older or newer than this version of Memwarden expects."""


class StorageFullError(DatabaseError):
    """The disk under the database is full; what was being written was rolled back."""


class EmbeddedServerError(MemwardenError):
    """The embedded PostgreSQL could not be set up, started or stopped."""


class EmbeddingError(MemwardenError):
    """The embedding model failed or answered with something that is not a vector for each text."""


class EmbeddingMismatchError(EmbeddingError):
    """A user's memories were embedded by another model than the one configured now."""


class AuthenticationError(MemwardenError):
    """A token does not prove who is asking; the sentence says why, and quotes nothing of it."""


class IssuerUnavailableError(MemwardenError):
    """Whoever issues tokens cannot be asked for the keys they are verified with."""
