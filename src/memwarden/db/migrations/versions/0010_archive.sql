-- What left the state of a conversation's graph, or its prompt, and stays readable for as long as the conversation is there.
CREATE TABLE memwarden.archive (
    tenant_id text        NOT NULL CHECK (tenant_id <> ''),
    user_id   text        NOT NULL CHECK (user_id <> ''),
    thread_id text        NOT NULL,
    kind      text        NOT NULL CHECK (kind IN ('message', 'tool_result')),
    id        text        NOT NULL COLLATE "C",
    -- The tool's, for a tool's result.
    name      text        NOT NULL DEFAULT '',
    content   bytea       NOT NULL,
    kept_at   timestamptz NOT NULL,
    -- The order in which it was put aside; the next number is given while the thread's row is held.
    place     bigint      NOT NULL,
    PRIMARY KEY (tenant_id, user_id, thread_id, kind, id),
    UNIQUE (tenant_id, user_id, thread_id, place)
);

-- Compressed before it comes here, where that pays; and no samples of it in the planner's statistics.
ALTER TABLE memwarden.archive ALTER COLUMN content SET STORAGE EXTERNAL, ALTER COLUMN content SET STATISTICS 0;

ALTER TABLE memwarden.archive ENABLE ROW LEVEL SECURITY;
ALTER TABLE memwarden.archive FORCE ROW LEVEL SECURITY;
CREATE POLICY scope ON memwarden.archive
    USING (tenant_id = current_setting('memwarden.tenant_id', true)
       AND user_id = current_setting('memwarden.user_id', true))
    WITH CHECK (tenant_id = current_setting('memwarden.tenant_id', true)
       AND user_id = current_setting('memwarden.user_id', true));
CREATE POLICY sweep ON memwarden.archive FOR SELECT TO CURRENT_USER USING (true);
CREATE TRIGGER withhold AFTER DELETE ON memwarden.archive REFERENCING OLD TABLE AS gone
    FOR EACH STATEMENT EXECUTE FUNCTION memwarden.withhold();

-- As before, but a row is written out as JSON once, not three times: one of these may be large.
CREATE OR REPLACE FUNCTION memwarden.withhold() RETURNS trigger
LANGUAGE plpgsql SECURITY DEFINER
SET search_path = ''
AS $$
BEGIN
    INSERT INTO memwarden.withheld (tenant_id, user_id, source, content)
    SELECT gone.tenant_id, gone.user_id, TG_TABLE_NAME, to_jsonb(gone) - 'embedding' - 'search'
      FROM gone
     WHERE EXISTS (SELECT FROM memwarden.legal_hold AS hold
                    WHERE hold.tenant_id = gone.tenant_id AND hold.user_id = gone.user_id
                      AND hold.released_at IS NULL);
    RETURN NULL;
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
    UNION
    SELECT archive.user_id FROM memwarden.archive WHERE archive.tenant_id = the_tenant
    LIMIT most
$$;
