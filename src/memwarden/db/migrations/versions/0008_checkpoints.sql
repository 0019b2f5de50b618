-- Checkpoints in parts. A thread keeps each message and each large value once, by number; a checkpoint is a short list of
-- references. The interim tables, which were LangGraph's own, held every version of every message again, and are dropped
-- with the conversations in them.
DROP TABLE memwarden.checkpoints, memwarden.checkpoint_blobs, memwarden.checkpoint_writes;

-- parts counts the numbers given out; generation changes when parts are removed, so that nobody refers to one from memory.
ALTER TABLE memwarden.thread
    ADD COLUMN parts      bigint NOT NULL DEFAULT 0,
    ADD COLUMN generation bigint NOT NULL DEFAULT 0;

CREATE TABLE memwarden.checkpoint (
    tenant_id  text  NOT NULL CHECK (tenant_id <> ''),
    user_id    text  NOT NULL CHECK (user_id <> ''),
    thread_id  text  NOT NULL,
    ns         text  NOT NULL,
    id         text  NOT NULL COLLATE "C",
    parent_id  text  COLLATE "C",
    run_id     text  NOT NULL DEFAULT '',
    -- What of the metadata can be searched; all of it is in the skeleton.
    facts      jsonb NOT NULL,
    -- The version of each channel, by which its value is found.
    versions   jsonb NOT NULL,
    skeleton   bytea NOT NULL,
    PRIMARY KEY (tenant_id, user_id, thread_id, ns, id)
);

CREATE TABLE memwarden.checkpoint_part (
    tenant_id text   NOT NULL CHECK (tenant_id <> ''),
    user_id   text   NOT NULL CHECK (user_id <> ''),
    thread_id text   NOT NULL,
    number    bigint NOT NULL,
    hash      bytea  NOT NULL,
    content   bytea  NOT NULL,
    PRIMARY KEY (tenant_id, user_id, thread_id, number),
    UNIQUE (tenant_id, user_id, thread_id, hash)
);

-- The value of a channel at a version, which many checkpoints may share.
CREATE TABLE memwarden.checkpoint_value (
    tenant_id text     NOT NULL CHECK (tenant_id <> ''),
    user_id   text     NOT NULL CHECK (user_id <> ''),
    thread_id text     NOT NULL,
    ns        text     NOT NULL,
    channel   text     NOT NULL,
    version   text     NOT NULL,
    form      smallint NOT NULL,
    refs      bytea    NOT NULL,
    PRIMARY KEY (tenant_id, user_id, thread_id, ns, channel, version)
);

CREATE TABLE memwarden.checkpoint_write (
    tenant_id     text     NOT NULL CHECK (tenant_id <> ''),
    user_id       text     NOT NULL CHECK (user_id <> ''),
    thread_id     text     NOT NULL,
    ns            text     NOT NULL,
    checkpoint_id text     NOT NULL COLLATE "C",
    task_path     text     NOT NULL COLLATE "C",
    task_id       text     NOT NULL COLLATE "C",
    idx           integer  NOT NULL,
    channel       text     NOT NULL,
    form          smallint NOT NULL,
    refs          bytea    NOT NULL,
    PRIMARY KEY (tenant_id, user_id, thread_id, ns, checkpoint_id, task_id, idx)
);

-- Parts and references are compressed before they come here, where that pays.
ALTER TABLE memwarden.checkpoint_part ALTER COLUMN content SET STORAGE EXTERNAL;
ALTER TABLE memwarden.checkpoint_value ALTER COLUMN refs SET STORAGE EXTERNAL;
ALTER TABLE memwarden.checkpoint ALTER COLUMN skeleton SET STORAGE EXTERNAL;

-- No samples of what was said in the planner's statistics.
ALTER TABLE memwarden.checkpoint ALTER COLUMN facts SET STATISTICS 0, ALTER COLUMN versions SET STATISTICS 0,
    ALTER COLUMN skeleton SET STATISTICS 0;
ALTER TABLE memwarden.checkpoint_part ALTER COLUMN content SET STATISTICS 0, ALTER COLUMN hash SET STATISTICS 0;
ALTER TABLE memwarden.checkpoint_value ALTER COLUMN refs SET STATISTICS 0;
ALTER TABLE memwarden.checkpoint_write ALTER COLUMN refs SET STATISTICS 0;

DO $$
DECLARE
    name text;
BEGIN
    FOREACH name IN ARRAY ARRAY['checkpoint', 'checkpoint_part', 'checkpoint_value', 'checkpoint_write'] LOOP
        EXECUTE format('ALTER TABLE memwarden.%I ENABLE ROW LEVEL SECURITY', name);
        EXECUTE format('ALTER TABLE memwarden.%I FORCE ROW LEVEL SECURITY', name);
        EXECUTE format(
            'CREATE POLICY scope ON memwarden.%I'
            ' USING (tenant_id = current_setting(''memwarden.tenant_id'', true)'
            '    AND user_id = current_setting(''memwarden.user_id'', true))'
            ' WITH CHECK (tenant_id = current_setting(''memwarden.tenant_id'', true)'
            '    AND user_id = current_setting(''memwarden.user_id'', true))', name);
        EXECUTE format('CREATE POLICY sweep ON memwarden.%I FOR SELECT TO CURRENT_USER USING (true)', name);
        EXECUTE format(
            'CREATE TRIGGER withhold AFTER DELETE ON memwarden.%I REFERENCING OLD TABLE AS gone'
            ' FOR EACH STATEMENT EXECUTE FUNCTION memwarden.withhold()', name);
    END LOOP;
END
$$;

-- The writer's turn, where it knows what it will find: the thread's parts, its generation and its fence. Anything else is an
-- error, which undoes what was sent along with it.
CREATE FUNCTION memwarden.turn_as_expected(the_tenant text, the_user text, the_thread text, the_time timestamptz,
                                           the_parts bigint, the_generation bigint, the_fence text) RETURNS void
LANGUAGE plpgsql
AS $$
BEGIN
    UPDATE memwarden.thread
       SET last_active_at = greatest(last_active_at, the_time), ended_at = NULL
     WHERE tenant_id = the_tenant AND user_id = the_user AND thread_id = the_thread
       AND parts = the_parts AND generation = the_generation;
    IF NOT FOUND OR memwarden.fence(the_tenant, the_user, the_thread) IS DISTINCT FROM the_fence THEN
        RAISE EXCEPTION 'the thread is not as expected' USING ERRCODE = 'MW001';
    END IF;
END
$$;

CREATE OR REPLACE FUNCTION memwarden.users_of(the_tenant text, most integer)
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
    SELECT checkpoint.user_id FROM memwarden.checkpoint WHERE checkpoint.tenant_id = the_tenant
    UNION
    SELECT checkpoint_part.user_id FROM memwarden.checkpoint_part WHERE checkpoint_part.tenant_id = the_tenant
    UNION
    SELECT checkpoint_value.user_id FROM memwarden.checkpoint_value WHERE checkpoint_value.tenant_id = the_tenant
    UNION
    SELECT checkpoint_write.user_id FROM memwarden.checkpoint_write WHERE checkpoint_write.tenant_id = the_tenant
    LIMIT most
$$;
