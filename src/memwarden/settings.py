"""Every setting, with its default and its meaning; all have one, so none is needed."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

from pydantic import Field, SecretStr, ValidationError
from pydantic_settings import BaseSettings, SettingsConfigDict

from memwarden.errors import ConfigurationError
from memwarden.model.consent import ConsentMode

PositiveDays = Annotated[int, Field(gt=0, le=36_500)]


def read_settings() -> Settings:
    """Return the settings of the environment; raise `ConfigurationError` that names what cannot be used, not its value."""
    try:
        return Settings()
    except ValidationError as error:
        wrong = "; ".join(
            f"MEMWARDEN_{'_'.join(str(part) for part in problem['loc']).upper()}: {problem['msg']}"
            for problem in error.errors(include_input=False, include_url=False)
        )
        raise ConfigurationError(f"A setting cannot be used: {wrong}.") from None


class Settings(BaseSettings):
    """What an operator can set, read from environment variables that begin with ``MEMWARDEN_``."""

    model_config = SettingsConfigDict(env_prefix="MEMWARDEN_", frozen=True, extra="ignore")

    database_url: SecretStr | None = Field(
        None,
        description="PostgreSQL to use, as the application role: `postgresql://memwarden_app:...@host/db`. "
        "Unset: an embedded PostgreSQL in the data folder.",
    )
    migration_url: SecretStr | None = Field(
        None,
        description="PostgreSQL as the role that owns the tables; `memwarden migrate` and `memwarden audit verify` use it.",
    )
    app_role: str = Field(
        "memwarden_app", description="Name of the application role that `memwarden migrate` prepares."
    )
    app_password: SecretStr | None = Field(
        None,
        description="Password that `memwarden migrate` gives the application role; unset leaves it as it is.",
    )
    data_dir: Path | None = Field(
        None,
        description="Folder of the embedded PostgreSQL. Unset: the user's data folder of the operating system.",
    )
    model: str | None = Field(
        None,
        description="Chat model of `memwarden demo` and `memwarden chat`, as `provider:name`. Unset: a scripted one.",
    )
    fingerprint_key: SecretStr | None = Field(
        None,
        min_length=32,
        description="Key of the hashes by which refused secrets and declined proposals are named; 32 characters or more. "
        "Unset: one kept in the file of keys.",
    )
    receipt_key: SecretStr | None = Field(
        None,
        description="Key that signs receipts of erasure (Ed25519): 32 random bytes in URL-safe base64. "
        "Unset: one kept in the file of keys.",
    )
    checkpoint_keys: SecretStr | None = Field(
        None,
        description="Keys that seal checkpoints, the newest first: `id:key,id:key`, an id of 1 to 32 printable ASCII characters, a key "
        "of 32 random bytes in base64. The first one seals, all of them open. Unset or empty: checkpoints are not encrypted.",
    )
    keys_file: Path | None = Field(
        None,
        description="File of keys, made when first needed. Unset: `keys.json` in the data folder of the embedded PostgreSQL, "
        "or with a database of yours in the user's configuration folder of the operating system.",
    )
    export_dir: Path | None = Field(
        None,
        description="Folder for exports that are written without saying where to. Unset: `exports` beside the file of keys.",
    )
    consent_mode: ConsentMode = Field(
        ConsentMode.NOTICE,
        description="`notice`: every purpose is open until the user withdraws it. `required`: no record of a purpose "
        "is written or read without the user's recorded consent to it.",
    )
    pool_min_size: int = Field(1, ge=1, le=1000, description="Connections to PostgreSQL kept open.")
    pool_max_size: int = Field(10, ge=1, le=1000, description="Connections to PostgreSQL at most.")
    connect_timeout_s: float = Field(10.0, gt=0, le=600, description="Seconds to wait for a connection.")
    statement_timeout_s: float = Field(30.0, gt=0, le=3600, description="Seconds one statement may take.")
    run_wait_s: float = Field(
        60.0,
        ge=0,
        le=3600,
        description="Seconds a run waits for another run of the same thread; 0: it is refused at once.",
    )
    window_tokens: int = Field(
        128_000,
        ge=500,
        description="Tokens of the chat model's window, where the model does not say it itself.",
    )
    compact_at: float = Field(
        0.8, gt=0, le=1, description="Share of the window above which a conversation's prompt is compacted."
    )
    compact_to: float = Field(
        0.5, gt=0, le=1, description="Share of the window to which it is compacted; less than `compact_at`."
    )
    answer_tokens: int = Field(
        2_000,
        ge=0,
        description="Tokens of the window that are left free for the model's answer, at most a quarter of it.",
    )
    recent_turns: int = Field(
        3, ge=1, le=1_000, description="Latest turns that stay word for word when a prompt is compacted."
    )
    tool_result_tokens: int = Field(
        1_000, ge=50, description="Tokens a tool's result may take of a prompt; the whole is kept beside it."
    )
    summary_timeout_s: float = Field(
        30.0,
        gt=0,
        le=600,
        description="Seconds a model may take for a summary, before one is made without it.",
    )
    redact_checkpoints: bool = Field(
        True,
        description="Take secrets and identity numbers out of the user's words before a checkpoint is saved.",
    )
    preference_days: PositiveDays = Field(
        365, description="Days a preference is kept after it was last stated, confirmed or used."
    )
    fact_days: PositiveDays = Field(
        365, description="Days a fact is kept after it was last stated, confirmed or used."
    )
    episode_days: PositiveDays = Field(180, description="Days an episode is kept after it took place.")
    unused_days: PositiveDays = Field(
        180, description="Days a preference or fact is kept that was never used, if that is sooner."
    )
    proposal_days: PositiveDays = Field(14, description="Days a proposal waits for an answer.")
    declined_days: PositiveDays = Field(365, description="Days a declined proposal is not asked again.")
    checkpoint_days: PositiveDays = Field(
        90, description="Days a conversation's checkpoints are kept after it was last active."
    )
    conversation_days: PositiveDays = Field(
        90,
        description="Days a conversation is listed after its user last came back to it; less `grace_minutes` where its checkpoints live no longer.",
    )
    grace_minutes: int = Field(
        240,
        ge=0,
        le=1380,
        description="Minutes a conversation can be come back to once it is deleted or no longer listed, before what it holds is removed.",
    )
    title_model: str | None = Field(
        None,
        description="Lightweight chat model that words the titles of conversations, as `provider:name`. Unset: deterministic code does.",
    )
    title_timeout_s: float = Field(
        10.0, gt=0, le=60, description="Seconds a model may take for a title, before it counts as failed."
    )
    export_days: PositiveDays = Field(7, description="Days an export is kept on disk.")
    idle_minutes: int = Field(
        30,
        gt=0,
        description="Minutes without activity after which a conversation is looked through for an episode.",
    )
    server_host: str = Field(
        "127.0.0.1",
        description="Address `memwarden serve` listens on; with development tokens, this machine's alone.",
    )
    server_port: int = Field(8420, ge=0, le=65_535, description="Port it listens on; 0: any that is free.")
    server_issuer: str | None = Field(
        None,
        description="Issuer of tokens, as their claim `iss` names it. Unset, with the next three: the development key.",
    )
    server_audience: str | None = Field(
        None, description="What the claim `aud` of a token must be, or be among; needed with an issuer."
    )
    server_jwks_url: str | None = Field(
        None, description="Where the issuer publishes its public keys, over https, as a JSON Web Key Set."
    )
    server_jwks_file: Path | None = Field(
        None, description="File with those keys, in place of the URL; read once, at the start."
    )
    server_algorithms: str = Field(
        "RS256,PS256,ES256,ES384,ES512,Ed25519",
        description="Algorithms that may sign tokens, with commas between; only those with a public key can be named.",
    )
    server_leeway_s: int = Field(
        30, ge=0, le=120, description="Seconds by which the issuer's clock may differ from the server's."
    )
    server_tenant_claim: str = Field("tenant_id", min_length=1, description="Claim that has the tenant.")
    server_user_claim: str = Field("sub", min_length=1, description="Claim that has the user.")
    server_roles_claim: str = Field(
        "roles", min_length=1, description="Claim that has the roles: a list, or names with spaces between."
    )
    server_act_for_claim: str = Field(
        "act_for",
        min_length=1,
        description="Claim that lists the users a service may act for; `*` among them: every user of its tenant.",
    )
    server_hosts: str = Field(
        "",
        description="Names clients call the server by (header `Host`), without ports, with commas between. "
        "Empty: the address it listens on, and on this machine `localhost` and its addresses.",
    )
    server_origins: str = Field(
        "",
        description="Origins of web pages that may use the server (CORS), with commas between. Empty: none.",
    )
    server_body_bytes: int = Field(
        1_000_000, ge=1_000, le=100_000_000, description="Bytes the body of a request may have."
    )
    server_requests_per_minute: int = Field(
        600,
        ge=1,
        le=1_000_000,
        description="Requests of one caller in a minute, counted by each server process for itself.",
    )
    server_request_timeout_s: float = Field(
        60.0, gt=0, le=3600, description="Seconds an answer may take to begin, before the request is stopped."
    )
