-- One row for each time everything about a user was removed: what was removed, counted, and nothing of what it said.
-- The latest id is the fence: a writer that began under an older one is turned away.

CREATE TABLE memwarden.erasure (
    tenant_id text        NOT NULL CHECK (tenant_id <> ''),
    user_id   text        NOT NULL CHECK (user_id <> ''),
    id        text        NOT NULL COLLATE "C" CHECK (length(id) = 26),
    at        timestamptz NOT NULL,
    removed   jsonb       NOT NULL,
    PRIMARY KEY (tenant_id, user_id, id)
);

ALTER TABLE memwarden.erasure ENABLE ROW LEVEL SECURITY;
ALTER TABLE memwarden.erasure FORCE ROW LEVEL SECURITY;
CREATE POLICY scope ON memwarden.erasure
    USING (tenant_id = current_setting('memwarden.tenant_id', true)
       AND user_id = current_setting('memwarden.user_id', true))
    WITH CHECK (tenant_id = current_setting('memwarden.tenant_id', true)
       AND user_id = current_setting('memwarden.user_id', true));
