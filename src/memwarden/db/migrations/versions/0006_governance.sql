-- Retention, holds, threads, read traces, erasures that are finished later, and what background jobs may see.

-- When a wording was written and when it stepped aside, so that memory can be read as it stood at a past instant.
-- created_at is the date of what was said: it survives a rewording that says the same.
ALTER TABLE memwarden.memory
    ADD COLUMN recorded_at     timestamptz,
    ADD COLUMN ended_at        timestamptz,
    ADD COLUMN application_key text CHECK (application_key <> '');
-- Forced row-level security holds the owner as well, who has to see the rows this once.
ALTER TABLE memwarden.memory NO FORCE ROW LEVEL SECURITY;
UPDATE memwarden.memory
   SET recorded_at = created_at, ended_at = CASE WHEN status <> 'active' THEN updated_at END;
ALTER TABLE memwarden.memory FORCE ROW LEVEL SECURITY;
ALTER TABLE memwarden.memory
    ALTER COLUMN recorded_at SET NOT NULL,
    ADD CHECK ((status = 'active') = (ended_at IS NULL));
-- What an application records twice under one key of its own is kept once; the column holds a hash of that key.
CREATE UNIQUE INDEX memory_application_key ON memwarden.memory (tenant_id, user_id, application_key)
    WHERE application_key IS NOT NULL;

-- A sentence is kept once; two tasks may have ended alike on one day.
DROP INDEX memwarden.memory_active_sentence;
CREATE UNIQUE INDEX memory_active_sentence ON memwarden.memory (tenant_id, user_id, md5(content))
    WHERE status = 'active' AND key IS NULL AND type <> 'episode';

-- A keyed hash of the words, kept after they are gone: what was declined is not asked again.
ALTER TABLE memwarden.proposal ADD COLUMN fingerprint text NOT NULL DEFAULT '';
CREATE INDEX proposal_fingerprint ON memwarden.proposal (tenant_id, user_id, fingerprint);

-- One row for each conversation of an agent. stale_messages are messages of it that hold what was forgotten since.
CREATE TABLE memwarden.thread (
    tenant_id      text        NOT NULL CHECK (tenant_id <> ''),
    user_id        text        NOT NULL CHECK (user_id <> ''),
    thread_id      text        NOT NULL,
    started_at     timestamptz NOT NULL,
    last_active_at timestamptz NOT NULL,
    ended_at       timestamptz,
    reviewed_at    timestamptz,
    reviewed_until text        NOT NULL DEFAULT '',
    stale_messages text[]      NOT NULL DEFAULT '{}',
    PRIMARY KEY (tenant_id, user_id, thread_id)
);

-- Which records stood in the prompt of an answer. Ids alone: what they say is in the records, while they exist.
CREATE TABLE memwarden.read_trace (
    tenant_id       text        NOT NULL CHECK (tenant_id <> ''),
    user_id         text        NOT NULL CHECK (user_id <> ''),
    id              text        NOT NULL COLLATE "C" CHECK (length(id) = 26),
    answer_id       text        NOT NULL CHECK (answer_id <> ''),
    conversation_id text        NOT NULL DEFAULT '',
    at              timestamptz NOT NULL,
    record_ids      text[]      NOT NULL,
    PRIMARY KEY (tenant_id, user_id, id)
);
CREATE INDEX read_trace_answer ON memwarden.read_trace (tenant_id, user_id, answer_id);

-- An order to keep what there is about somebody, for a court or an authority.
CREATE TABLE memwarden.legal_hold (
    tenant_id   text        NOT NULL CHECK (tenant_id <> ''),
    user_id     text        NOT NULL CHECK (user_id <> ''),
    id          text        NOT NULL COLLATE "C" CHECK (length(id) = 26),
    reference   text        NOT NULL CHECK (reference <> ''),
    placed_at   timestamptz NOT NULL,
    released_at timestamptz,
    PRIMARY KEY (tenant_id, user_id, id)
);

-- Rows that were erased or forgotten while a hold stood. The application may count them and read nothing of them.
CREATE TABLE memwarden.withheld (
    tenant_id   text        NOT NULL CHECK (tenant_id <> ''),
    user_id     text        NOT NULL CHECK (user_id <> ''),
    id          text        NOT NULL DEFAULT gen_random_uuid()::text,
    source      text        NOT NULL,
    withheld_at timestamptz NOT NULL DEFAULT now(),
    content     jsonb       NOT NULL,
    PRIMARY KEY (tenant_id, user_id, id)
);

-- Rows are deleted with the erasure; its stores outside this database, and the second look, may take longer.
-- fingerprints are keyed hashes of what was removed, for that second look, and go when it is done.
ALTER TABLE memwarden.erasure
    ADD COLUMN thread_id    text   NOT NULL DEFAULT '',
    ADD COLUMN state        text   NOT NULL DEFAULT 'complete'
               CHECK (state IN ('unfinished', 'incomplete', 'held', 'complete')),
    ADD COLUMN stores       jsonb  NOT NULL DEFAULT '[]',
    ADD COLUMN fingerprints text[] NOT NULL DEFAULT '{}',
    ADD COLUMN receipt      text   NOT NULL DEFAULT '',
    ADD COLUMN completed_at timestamptz,
    ADD CHECK (state <> 'complete' OR fingerprints = '{}');

-- An erasure of a whole tenant; each of its users has an erasure of their own beside it.
CREATE TABLE memwarden.tenant_erasure (
    tenant_id    text        NOT NULL CHECK (tenant_id <> ''),
    id           text        NOT NULL COLLATE "C" CHECK (length(id) = 26),
    at           timestamptz NOT NULL,
    state        text        NOT NULL CHECK (state IN ('unfinished', 'incomplete', 'held', 'complete')),
    users        integer     NOT NULL DEFAULT 0,
    stores       jsonb       NOT NULL DEFAULT '[]',
    receipt      text        NOT NULL DEFAULT '',
    completed_at timestamptz,
    PRIMARY KEY (tenant_id, id)
);

-- What was exported to this machine's disk, so that an erasure finds it.
CREATE TABLE memwarden.export (
    tenant_id  text        NOT NULL CHECK (tenant_id <> ''),
    user_id    text        NOT NULL CHECK (user_id <> ''),
    id         text        NOT NULL COLLATE "C" CHECK (length(id) = 26),
    path       text        NOT NULL,
    created_at timestamptz NOT NULL,
    expires_at timestamptz NOT NULL,
    PRIMARY KEY (tenant_id, user_id, id)
);

-- When a user's memory was last put in order.
CREATE TABLE memwarden.upkeep (
    tenant_id       text        NOT NULL CHECK (tenant_id <> ''),
    user_id         text        NOT NULL CHECK (user_id <> ''),
    consolidated_at timestamptz NOT NULL,
    embedding_model text        NOT NULL,
    PRIMARY KEY (tenant_id, user_id)
);

DO $$
DECLARE
    name text;
BEGIN
    FOREACH name IN ARRAY ARRAY['thread', 'read_trace', 'legal_hold', 'withheld', 'export', 'upkeep'] LOOP
        EXECUTE format('ALTER TABLE memwarden.%I ENABLE ROW LEVEL SECURITY', name);
        EXECUTE format('ALTER TABLE memwarden.%I FORCE ROW LEVEL SECURITY', name);
        EXECUTE format(
            'CREATE POLICY scope ON memwarden.%I'
            ' USING (tenant_id = current_setting(''memwarden.tenant_id'', true)'
            '    AND user_id = current_setting(''memwarden.user_id'', true))'
            ' WITH CHECK (tenant_id = current_setting(''memwarden.tenant_id'', true)'
            '    AND user_id = current_setting(''memwarden.user_id'', true))', name);
    END LOOP;
    -- The functions below run as the owner of the tables, and look across users.
    FOREACH name IN ARRAY ARRAY['memory', 'proposal', 'consent', 'erasure', 'thread', 'read_trace', 'export', 'upkeep',
                                'legal_hold', 'checkpoints', 'checkpoint_blobs', 'checkpoint_writes'] LOOP
        EXECUTE format('CREATE POLICY sweep ON memwarden.%I FOR SELECT TO CURRENT_USER USING (true)', name);
    END LOOP;
    CREATE POLICY keeper ON memwarden.withheld TO CURRENT_USER USING (true) WITH CHECK (true);
END
$$;

ALTER TABLE memwarden.tenant_erasure ENABLE ROW LEVEL SECURITY;
ALTER TABLE memwarden.tenant_erasure FORCE ROW LEVEL SECURITY;
CREATE POLICY scope ON memwarden.tenant_erasure
    USING (tenant_id = current_setting('memwarden.tenant_id', true))
    WITH CHECK (tenant_id = current_setting('memwarden.tenant_id', true));
CREATE POLICY sweep ON memwarden.tenant_erasure FOR SELECT TO CURRENT_USER USING (true);

-- While a hold stands, what is deleted or emptied is put aside first, whoever deletes it. Vectors and search text are
-- derived, and not put aside.
CREATE FUNCTION memwarden.withhold() RETURNS trigger
LANGUAGE plpgsql SECURITY DEFINER
SET search_path = ''
AS $$
BEGIN
    INSERT INTO memwarden.withheld (tenant_id, user_id, source, content)
    SELECT (to_jsonb(gone) ->> 'tenant_id'), (to_jsonb(gone) ->> 'user_id'), TG_TABLE_NAME,
           to_jsonb(gone) - 'embedding' - 'search'
      FROM gone
     WHERE EXISTS (SELECT FROM memwarden.legal_hold AS hold
                    WHERE hold.tenant_id = gone.tenant_id AND hold.user_id = gone.user_id
                      AND hold.released_at IS NULL);
    RETURN NULL;
END
$$;

-- Emptying a row is an update; every other update leaves what was said where it is.
CREATE FUNCTION memwarden.withhold_emptied() RETURNS trigger
LANGUAGE plpgsql SECURITY DEFINER
SET search_path = ''
AS $$
BEGIN
    INSERT INTO memwarden.withheld (tenant_id, user_id, source, content)
    SELECT OLD.tenant_id, OLD.user_id, TG_TABLE_NAME, to_jsonb(OLD) - 'embedding' - 'search'
     WHERE EXISTS (SELECT FROM memwarden.legal_hold AS hold
                    WHERE hold.tenant_id = OLD.tenant_id AND hold.user_id = OLD.user_id
                      AND hold.released_at IS NULL);
    RETURN NULL;
END
$$;

REVOKE ALL ON FUNCTION memwarden.withhold(), memwarden.withhold_emptied() FROM PUBLIC;

DO $$
DECLARE
    name text;
BEGIN
    FOREACH name IN ARRAY ARRAY['memory', 'proposal', 'checkpoints', 'checkpoint_blobs', 'checkpoint_writes'] LOOP
        EXECUTE format(
            'CREATE TRIGGER withhold AFTER DELETE ON memwarden.%I REFERENCING OLD TABLE AS gone'
            ' FOR EACH STATEMENT EXECUTE FUNCTION memwarden.withhold()', name);
    END LOOP;
END
$$;
CREATE TRIGGER withhold_emptied AFTER UPDATE ON memwarden.memory
    FOR EACH ROW WHEN (NEW.content = '' AND OLD.content <> '') EXECUTE FUNCTION memwarden.withhold_emptied();
CREATE TRIGGER withhold_emptied AFTER UPDATE ON memwarden.proposal
    FOR EACH ROW WHEN (NEW.status = 'declined' AND OLD.content <> '') EXECUTE FUNCTION memwarden.withhold_emptied();

-- With the last hold goes what it held.
CREATE FUNCTION memwarden.let_go() RETURNS trigger
LANGUAGE plpgsql SECURITY DEFINER
SET search_path = ''
AS $$
BEGIN
    DELETE FROM memwarden.withheld AS held
     WHERE held.tenant_id = NEW.tenant_id AND held.user_id = NEW.user_id
       AND NOT EXISTS (SELECT FROM memwarden.legal_hold AS hold
                        WHERE hold.tenant_id = NEW.tenant_id AND hold.user_id = NEW.user_id
                          AND hold.released_at IS NULL);
    RETURN NULL;
END
$$;

REVOKE ALL ON FUNCTION memwarden.let_go() FROM PUBLIC;

CREATE TRIGGER let_go AFTER UPDATE ON memwarden.legal_hold
    FOR EACH ROW WHEN (OLD.released_at IS NULL AND NEW.released_at IS NOT NULL) EXECUTE FUNCTION memwarden.let_go();

-- The fence of a user: the latest erasure of everything about them, or of their whole tenant.
CREATE FUNCTION memwarden.fence(the_tenant text, the_user text, the_thread text) RETURNS text
LANGUAGE sql STABLE
AS $$
    SELECT greatest(
        (SELECT max(id) FROM memwarden.erasure
          WHERE tenant_id = the_tenant AND user_id = the_user AND thread_id IN ('', the_thread)),
        (SELECT max(id) FROM memwarden.tenant_erasure WHERE tenant_id = the_tenant))
$$;

-- What background jobs may know across users: who has something to be done, and nothing of what it is.

CREATE FUNCTION memwarden.users_to_purge(the_time timestamptz, idle_before timestamptz, most integer)
RETURNS TABLE (tenant_id text, user_id text)
LANGUAGE sql STABLE SECURITY DEFINER
SET search_path = ''
AS $$
    SELECT due.tenant_id, due.user_id
      FROM (SELECT memory.tenant_id, memory.user_id FROM memwarden.memory WHERE memory.expires_at <= the_time
            UNION
            SELECT proposal.tenant_id, proposal.user_id FROM memwarden.proposal WHERE proposal.expires_at <= the_time
            UNION
            SELECT thread.tenant_id, thread.user_id FROM memwarden.thread WHERE thread.last_active_at <= idle_before
            UNION
            SELECT export.tenant_id, export.user_id FROM memwarden.export WHERE export.expires_at <= the_time) AS due
     WHERE NOT EXISTS (SELECT FROM memwarden.legal_hold AS hold
                        WHERE hold.tenant_id = due.tenant_id AND hold.user_id = due.user_id
                          AND hold.released_at IS NULL)
     LIMIT most
$$;

CREATE FUNCTION memwarden.users_to_consolidate(before timestamptz, the_model text, most integer)
RETURNS TABLE (tenant_id text, user_id text)
LANGUAGE sql STABLE SECURITY DEFINER
SET search_path = ''
AS $$
    SELECT memory.tenant_id, memory.user_id
      FROM memwarden.memory
      LEFT JOIN memwarden.upkeep
        ON upkeep.tenant_id = memory.tenant_id AND upkeep.user_id = memory.user_id
     WHERE memory.status = 'active'
       AND (upkeep.consolidated_at IS NULL OR upkeep.embedding_model <> the_model
            OR upkeep.consolidated_at < before AND memory.recorded_at > upkeep.consolidated_at)
     GROUP BY memory.tenant_id, memory.user_id
     LIMIT most
$$;

CREATE FUNCTION memwarden.threads_to_review(idle_before timestamptz, most integer)
RETURNS TABLE (tenant_id text, user_id text, thread_id text)
LANGUAGE sql STABLE SECURITY DEFINER
SET search_path = ''
AS $$
    SELECT thread.tenant_id, thread.user_id, thread.thread_id
      FROM memwarden.thread
     WHERE (thread.reviewed_at IS NULL OR thread.reviewed_at < thread.last_active_at)
       AND (thread.ended_at >= thread.last_active_at OR thread.last_active_at <= idle_before)
     ORDER BY thread.last_active_at
     LIMIT most
$$;

CREATE FUNCTION memwarden.erasures_to_finish(most integer)
RETURNS TABLE (tenant_id text, user_id text, id text)
LANGUAGE sql STABLE SECURITY DEFINER
SET search_path = ''
AS $$
    SELECT erasure.tenant_id, erasure.user_id, erasure.id
      FROM memwarden.erasure
     WHERE erasure.state <> 'complete'
       AND (erasure.state <> 'held'
            OR NOT EXISTS (SELECT FROM memwarden.legal_hold AS hold
                            WHERE hold.tenant_id = erasure.tenant_id AND hold.user_id = erasure.user_id
                              AND hold.released_at IS NULL))
     ORDER BY erasure.id
     LIMIT most
$$;

CREATE FUNCTION memwarden.tenant_erasures_to_finish(most integer)
RETURNS TABLE (tenant_id text, id text)
LANGUAGE sql STABLE SECURITY DEFINER
SET search_path = ''
AS $$
    SELECT tenant_erasure.tenant_id, tenant_erasure.id
      FROM memwarden.tenant_erasure
     WHERE tenant_erasure.state <> 'complete'
     ORDER BY tenant_erasure.id
     LIMIT most
$$;

-- Everybody in a tenant about whom there is anything that an erasure removes.
CREATE FUNCTION memwarden.users_of(the_tenant text, most integer)
RETURNS TABLE (user_id text)
LANGUAGE sql STABLE SECURITY DEFINER
SET search_path = ''
AS $$
    SELECT memory.user_id FROM memwarden.memory WHERE memory.tenant_id = the_tenant
    UNION
    SELECT proposal.user_id FROM memwarden.proposal WHERE proposal.tenant_id = the_tenant
    UNION
    SELECT thread.user_id FROM memwarden.thread WHERE thread.tenant_id = the_tenant
    UNION
    SELECT export.user_id FROM memwarden.export WHERE export.tenant_id = the_tenant
    UNION
    SELECT checkpoints.user_id FROM memwarden.checkpoints WHERE checkpoints.tenant_id = the_tenant
    UNION
    SELECT checkpoint_blobs.user_id FROM memwarden.checkpoint_blobs WHERE checkpoint_blobs.tenant_id = the_tenant
    UNION
    SELECT checkpoint_writes.user_id FROM memwarden.checkpoint_writes WHERE checkpoint_writes.tenant_id = the_tenant
    LIMIT most
$$;

-- How many erasures of a tenant's users are not complete, by state.
CREATE FUNCTION memwarden.open_erasures_of(the_tenant text)
RETURNS TABLE (state text, erasures integer)
LANGUAGE sql STABLE SECURITY DEFINER
SET search_path = ''
AS $$
    SELECT erasure.state, count(*)::integer
      FROM memwarden.erasure
     WHERE erasure.tenant_id = the_tenant AND erasure.state <> 'complete'
     GROUP BY erasure.state
$$;

REVOKE ALL ON FUNCTION memwarden.open_erasures_of(text), memwarden.users_to_purge(timestamptz, timestamptz, integer),
    memwarden.users_to_consolidate(timestamptz, text, integer), memwarden.threads_to_review(timestamptz, integer),
    memwarden.erasures_to_finish(integer), memwarden.tenant_erasures_to_finish(integer),
    memwarden.users_of(text, integer) FROM PUBLIC;
