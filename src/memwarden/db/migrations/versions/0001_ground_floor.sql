-- The ground floor: memories, proposals, the audit log, and LangGraph's checkpoint tables.
-- (tenant_id, user_id) leads every primary key and every index; every table forces row-level security.

CREATE TABLE memwarden.memory (
    tenant_id       text        NOT NULL CHECK (tenant_id <> ''),
    user_id         text        NOT NULL CHECK (user_id <> ''),
    id              text        NOT NULL COLLATE "C" CHECK (length(id) = 26),
    type            text        NOT NULL CHECK (type IN ('preference', 'fact', 'episode')),
    key             text        CHECK (key <> ''),
    content         text        NOT NULL,
    details         jsonb       NOT NULL DEFAULT '{}',
    source          text        NOT NULL CHECK (source IN ('user_stated', 'user_confirmed', 'system')),
    status          text        NOT NULL CHECK (status IN ('active', 'superseded', 'deleted')),
    purpose         text        NOT NULL,
    evidence        jsonb       NOT NULL DEFAULT '{}',
    created_at      timestamptz NOT NULL,
    updated_at      timestamptz NOT NULL,
    last_used_at    timestamptz,
    expires_at      timestamptz NOT NULL,
    superseded_by   text        COLLATE "C",
    embedding       halfvec,
    embedding_model text,
    search          tsvector    NOT NULL,
    PRIMARY KEY (tenant_id, user_id, id),
    CHECK ((embedding IS NULL) = (embedding_model IS NULL)),
    CHECK (superseded_by IS NULL OR status <> 'active'),
    -- A tombstone holds nothing of what was said.
    CHECK (status <> 'deleted' OR (content = '' AND details = '{}' AND evidence = '{}'
                                   AND embedding IS NULL AND search = ''::tsvector)),
    CHECK (status = 'deleted' OR content <> '')
);

-- A slot has one value at a time, and a sentence is kept once.
CREATE UNIQUE INDEX memory_active_slot ON memwarden.memory (tenant_id, user_id, key)
    WHERE status = 'active' AND key IS NOT NULL;
CREATE UNIQUE INDEX memory_active_sentence ON memwarden.memory (tenant_id, user_id, md5(content))
    WHERE status = 'active' AND key IS NULL;

CREATE TABLE memwarden.proposal (
    tenant_id  text        NOT NULL CHECK (tenant_id <> ''),
    user_id    text        NOT NULL CHECK (user_id <> ''),
    id         text        NOT NULL COLLATE "C" CHECK (length(id) = 26),
    type       text        NOT NULL CHECK (type IN ('preference', 'fact', 'episode')),
    key        text        CHECK (key <> ''),
    content    text        NOT NULL,
    purpose    text        NOT NULL,
    reasons    text[]      NOT NULL,
    evidence   jsonb       NOT NULL DEFAULT '{}',
    replaces   text        COLLATE "C",
    status     text        NOT NULL CHECK (status IN ('pending', 'confirmed', 'declined')),
    created_at timestamptz NOT NULL,
    expires_at timestamptz NOT NULL,
    decided_at timestamptz,
    memory_id  text        COLLATE "C",
    PRIMARY KEY (tenant_id, user_id, id),
    CHECK ((status = 'pending') = (decided_at IS NULL)),
    CHECK ((status = 'confirmed') = (memory_id IS NOT NULL)),
    -- Once decided, the proposal is only a trace: a confirmed one lives on as a memory, a declined one not at all.
    CHECK ((status = 'pending') = (content <> ''))
);

CREATE UNIQUE INDEX proposal_pending_sentence ON memwarden.proposal (tenant_id, user_id, md5(content))
    WHERE status = 'pending';

CREATE TABLE memwarden.audit_event (
    tenant_id text        NOT NULL CHECK (tenant_id <> ''),
    user_id   text        NOT NULL CHECK (user_id <> ''),
    id        text        NOT NULL COLLATE "C" CHECK (length(id) = 26),
    at        timestamptz NOT NULL,
    actor     text        NOT NULL CHECK (actor IN ('user', 'agent', 'system')),
    action    text        NOT NULL,
    origin    text        NOT NULL,
    reasons   text[]      NOT NULL,
    record_id text        COLLATE "C",
    PRIMARY KEY (tenant_id, user_id, id)
);

-- LangGraph's own tables (langgraph-checkpoint-postgres 3.2), with an owner added to each row. Their saver
-- does not know of owners: the defaults take them from the transaction's scope.
CREATE TABLE memwarden.checkpoints (
    tenant_id            text  NOT NULL DEFAULT current_setting('memwarden.tenant_id') CHECK (tenant_id <> ''),
    user_id              text  NOT NULL DEFAULT current_setting('memwarden.user_id') CHECK (user_id <> ''),
    thread_id            text  NOT NULL,
    checkpoint_ns        text  NOT NULL DEFAULT '',
    checkpoint_id        text  NOT NULL,
    parent_checkpoint_id text,
    type                 text,
    checkpoint           jsonb NOT NULL,
    metadata             jsonb NOT NULL DEFAULT '{}',
    PRIMARY KEY (tenant_id, user_id, thread_id, checkpoint_ns, checkpoint_id)
);

CREATE TABLE memwarden.checkpoint_blobs (
    tenant_id     text  NOT NULL DEFAULT current_setting('memwarden.tenant_id') CHECK (tenant_id <> ''),
    user_id       text  NOT NULL DEFAULT current_setting('memwarden.user_id') CHECK (user_id <> ''),
    thread_id     text  NOT NULL,
    checkpoint_ns text  NOT NULL DEFAULT '',
    channel       text  NOT NULL,
    version       text  NOT NULL,
    type          text  NOT NULL,
    blob          bytea,
    PRIMARY KEY (tenant_id, user_id, thread_id, checkpoint_ns, channel, version)
);

CREATE TABLE memwarden.checkpoint_writes (
    tenant_id     text    NOT NULL DEFAULT current_setting('memwarden.tenant_id') CHECK (tenant_id <> ''),
    user_id       text    NOT NULL DEFAULT current_setting('memwarden.user_id') CHECK (user_id <> ''),
    thread_id     text    NOT NULL,
    checkpoint_ns text    NOT NULL DEFAULT '',
    checkpoint_id text    NOT NULL,
    task_id       text    NOT NULL,
    task_path     text    NOT NULL DEFAULT '',
    idx           integer NOT NULL,
    channel       text    NOT NULL,
    type          text,
    blob          bytea   NOT NULL,
    PRIMARY KEY (tenant_id, user_id, thread_id, checkpoint_ns, checkpoint_id, task_id, idx)
);

DO $$
DECLARE
    name text;
BEGIN
    FOREACH name IN ARRAY ARRAY['memory', 'proposal', 'audit_event',
                                'checkpoints', 'checkpoint_blobs', 'checkpoint_writes'] LOOP
        EXECUTE format('ALTER TABLE memwarden.%I ENABLE ROW LEVEL SECURITY', name);
        EXECUTE format('ALTER TABLE memwarden.%I FORCE ROW LEVEL SECURITY', name);
        -- current_setting(..., true) is null when the scope was never set in the session and '' after a
        -- transaction that set it: neither equals a tenant or a user, so nothing is visible.
        EXECUTE format(
            'CREATE POLICY scope ON memwarden.%I'
            ' USING (tenant_id = current_setting(''memwarden.tenant_id'', true)'
            '    AND user_id = current_setting(''memwarden.user_id'', true))'
            ' WITH CHECK (tenant_id = current_setting(''memwarden.tenant_id'', true)'
            '    AND user_id = current_setting(''memwarden.user_id'', true))', name);
    END LOOP;
END
$$;
