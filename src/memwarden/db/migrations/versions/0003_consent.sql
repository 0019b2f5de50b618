-- Decisions of users about purposes. Rows are only added: the latest one of a purpose counts, all of them are the proof.

CREATE TABLE memwarden.consent (
    tenant_id       text        NOT NULL CHECK (tenant_id <> ''),
    user_id         text        NOT NULL CHECK (user_id <> ''),
    id              text        NOT NULL COLLATE "C" CHECK (length(id) = 26),
    purpose         text        NOT NULL CHECK (purpose <> ''),
    granted         boolean     NOT NULL,
    notice          text        NOT NULL,
    -- '' means everywhere.
    conversation_id text        NOT NULL DEFAULT '',
    at              timestamptz NOT NULL,
    PRIMARY KEY (tenant_id, user_id, id)
);

ALTER TABLE memwarden.consent ENABLE ROW LEVEL SECURITY;
ALTER TABLE memwarden.consent FORCE ROW LEVEL SECURITY;
CREATE POLICY scope ON memwarden.consent
    USING (tenant_id = current_setting('memwarden.tenant_id', true)
       AND user_id = current_setting('memwarden.user_id', true))
    WITH CHECK (tenant_id = current_setting('memwarden.tenant_id', true)
       AND user_id = current_setting('memwarden.user_id', true));

-- One row: what the decisions of one user come to in one conversation ('' for none). Memory is off when it was
-- switched off everywhere or in this conversation. In PL/pgSQL, because that keeps the plan of its statement, while a
-- function in SQL would be planned again with every recall; without a SET clause, which costs more than the query.
CREATE FUNCTION memwarden.standing(the_tenant text, the_user text, the_conversation text)
RETURNS TABLE (off boolean, granted text[], withdrawn text[])
LANGUAGE plpgsql STABLE ROWS 1
AS $$
BEGIN
    RETURN QUERY
    SELECT coalesce(bool_or(NOT latest.granted) FILTER (WHERE latest.purpose = 'memory'), false),
           coalesce(array_agg(latest.purpose) FILTER (WHERE latest.granted AND latest.conversation_id = ''), '{}'),
           coalesce(array_agg(latest.purpose) FILTER (WHERE NOT latest.granted AND latest.conversation_id = ''), '{}')
      FROM (SELECT DISTINCT ON (consent.purpose, consent.conversation_id)
                   consent.purpose, consent.conversation_id, consent.granted
              FROM memwarden.consent
             WHERE consent.tenant_id = the_tenant AND consent.user_id = the_user
               AND consent.conversation_id IN ('', the_conversation)
             ORDER BY consent.purpose, consent.conversation_id, consent.id DESC) AS latest;
END
$$;
