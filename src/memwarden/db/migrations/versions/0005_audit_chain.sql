-- Every event of a tenant gets the next number and a hash over itself and the hash before it. A trigger does it, as the
-- owner of the tables, so that the application role can neither skip nor choose them. Events from before this migration
-- have no number.

ALTER TABLE memwarden.audit_event
    ADD COLUMN place bigint,
    ADD COLUMN hash  bytea;

CREATE UNIQUE INDEX audit_event_place ON memwarden.audit_event (tenant_id, place);

-- Where each tenant's chain stands.
CREATE TABLE memwarden.audit_head (
    tenant_id text   NOT NULL PRIMARY KEY CHECK (tenant_id <> ''),
    place     bigint NOT NULL,
    hash      bytea  NOT NULL
);

ALTER TABLE memwarden.audit_head ENABLE ROW LEVEL SECURITY;
ALTER TABLE memwarden.audit_head FORCE ROW LEVEL SECURITY;
CREATE POLICY chain ON memwarden.audit_head TO CURRENT_USER USING (true) WITH CHECK (true);

-- The owner of the tables, whom no application may connect as, reads a whole tenant's log to verify it.
CREATE POLICY verify ON memwarden.audit_event FOR SELECT TO CURRENT_USER USING (true);

CREATE FUNCTION memwarden.audit_hash(event memwarden.audit_event, before bytea) RETURNS bytea
LANGUAGE sql STABLE
SET search_path = ''
AS $$
    SELECT sha256(before || convert_to(jsonb_build_array(
        event.tenant_id, event.user_id, event.id, extract(epoch FROM event.at), event.actor, event.action, event.origin,
        event.reasons, event.record_id, event.fingerprints, event.place)::text, 'UTF8'))
$$;

CREATE FUNCTION memwarden.audit_link() RETURNS trigger
LANGUAGE plpgsql SECURITY DEFINER
SET search_path = ''
AS $$
DECLARE
    before memwarden.audit_head;
BEGIN
    INSERT INTO memwarden.audit_head (tenant_id, place, hash) VALUES (NEW.tenant_id, 0, '')
        ON CONFLICT (tenant_id) DO NOTHING;
    -- Writers of one tenant's log take turns from here to the end of their transactions.
    SELECT * INTO STRICT before FROM memwarden.audit_head WHERE tenant_id = NEW.tenant_id FOR UPDATE;
    NEW.place := before.place + 1;
    NEW.hash := memwarden.audit_hash(NEW, before.hash);
    UPDATE memwarden.audit_head SET place = NEW.place, hash = NEW.hash WHERE tenant_id = NEW.tenant_id;
    RETURN NEW;
END
$$;

REVOKE ALL ON FUNCTION memwarden.audit_link() FROM PUBLIC;

CREATE TRIGGER audit_link BEFORE INSERT ON memwarden.audit_event
    FOR EACH ROW EXECUTE FUNCTION memwarden.audit_link();
