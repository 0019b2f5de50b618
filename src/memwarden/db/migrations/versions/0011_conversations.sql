-- Conversations as their users see them in a list. Their messages are in the checkpoints of the thread of the same id.
CREATE TABLE memwarden.conversation (
    tenant_id      text        NOT NULL CHECK (tenant_id <> ''),
    user_id        text        NOT NULL CHECK (user_id <> ''),
    id             text        NOT NULL COLLATE "C" CHECK (length(id) = 26),
    title          text        NOT NULL,
    titled_by      text        NOT NULL CHECK (titled_by IN ('default', 'generated', 'user')),
    title_attempts integer     NOT NULL,
    title_after    timestamptz,
    agents         text[]      NOT NULL,
    created_at     timestamptz NOT NULL,
    last_active_at timestamptz NOT NULL,
    state          text        NOT NULL CHECK (state IN ('active', 'ended', 'deleted')),
    pinned         boolean     NOT NULL,
    listed         boolean     NOT NULL,
    -- Hidden from then on; what it holds is removed only after delete_after.
    expires_at     timestamptz,
    delete_after   timestamptz,
    version        bigint      NOT NULL,
    PRIMARY KEY (tenant_id, user_id, id)
);

-- No samples of what was said in the planner's statistics.
ALTER TABLE memwarden.conversation ALTER COLUMN title SET STATISTICS 0, ALTER COLUMN agents SET STATISTICS 0;

ALTER TABLE memwarden.conversation ENABLE ROW LEVEL SECURITY;
ALTER TABLE memwarden.conversation FORCE ROW LEVEL SECURITY;
CREATE POLICY scope ON memwarden.conversation
    USING (tenant_id = current_setting('memwarden.tenant_id', true)
       AND user_id = current_setting('memwarden.user_id', true))
    WITH CHECK (tenant_id = current_setting('memwarden.tenant_id', true)
       AND user_id = current_setting('memwarden.user_id', true));
CREATE POLICY sweep ON memwarden.conversation FOR SELECT TO CURRENT_USER USING (true);
CREATE TRIGGER withhold AFTER DELETE ON memwarden.conversation REFERENCING OLD TABLE AS gone
    FOR EACH STATEMENT EXECUTE FUNCTION memwarden.withhold();

-- Conversations whose time is over, but for those of users under a hold, and those a run is under way in.
CREATE FUNCTION memwarden.conversations_to_remove(the_time timestamptz, most integer)
RETURNS TABLE (tenant_id text, user_id text, thread_id text)
LANGUAGE sql STABLE SECURITY DEFINER
SET search_path = ''
AS $$
    SELECT conversation.tenant_id, conversation.user_id, conversation.id
      FROM memwarden.conversation
     WHERE conversation.delete_after <= the_time
       AND NOT EXISTS (SELECT FROM memwarden.legal_hold AS hold
                        WHERE hold.tenant_id = conversation.tenant_id AND hold.user_id = conversation.user_id
                          AND hold.released_at IS NULL)
       AND NOT EXISTS (SELECT FROM memwarden.thread
                        WHERE thread.tenant_id = conversation.tenant_id AND thread.user_id = conversation.user_id
                          AND thread.thread_id = conversation.id AND thread.run_token IS NOT NULL
                          AND thread.run_until >= clock_timestamp())
     ORDER BY conversation.delete_after
     LIMIT most
$$;

-- Conversations that are worth a title and have none.
CREATE FUNCTION memwarden.conversations_to_title(the_time timestamptz, most integer)
RETURNS TABLE (tenant_id text, user_id text, thread_id text)
LANGUAGE sql STABLE SECURITY DEFINER
SET search_path = ''
AS $$
    SELECT conversation.tenant_id, conversation.user_id, conversation.id
      FROM memwarden.conversation
     WHERE conversation.listed AND conversation.titled_by = 'default' AND conversation.state <> 'deleted'
       AND (conversation.title_after IS NULL OR conversation.title_after <= the_time)
     ORDER BY conversation.id
     LIMIT most
$$;

REVOKE ALL ON FUNCTION memwarden.conversations_to_remove(timestamptz, integer),
    memwarden.conversations_to_title(timestamptz, integer) FROM PUBLIC;

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
    UNION
    SELECT conversation.user_id FROM memwarden.conversation WHERE conversation.tenant_id = the_tenant
    LIMIT most
$$;
