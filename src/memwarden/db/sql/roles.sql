-- name: application_role_grants
-- What the application role may do; {role} is its quoted name. Run again after every migration.
GRANT USAGE ON SCHEMA memwarden TO {role};
GRANT SELECT, INSERT, UPDATE, DELETE ON memwarden.memory, memwarden.proposal, memwarden.thread, memwarden.export,
    memwarden.upkeep, memwarden.checkpoint, memwarden.checkpoint_part,
    memwarden.checkpoint_value, memwarden.checkpoint_write, memwarden.archive, memwarden.conversation TO {role};
-- The log is append-only: no update, no delete, no truncate.
GRANT SELECT, INSERT ON memwarden.audit_event, memwarden.consent TO {role};
-- An erasure is written once and finished later; a trace loses where it was, and never what it shows; a hold ends.
GRANT SELECT, INSERT ON memwarden.erasure, memwarden.tenant_erasure, memwarden.read_trace, memwarden.legal_hold TO {role};
GRANT UPDATE (state, stores, fingerprints, receipt, completed_at) ON memwarden.erasure TO {role};
GRANT UPDATE (state, users, stores, receipt, completed_at) ON memwarden.tenant_erasure TO {role};
GRANT UPDATE (conversation_id) ON memwarden.read_trace TO {role};
GRANT UPDATE (released_at) ON memwarden.legal_hold TO {role};
-- What a hold keeps can be counted, not read.
GRANT SELECT (tenant_id, user_id, source, withheld_at) ON memwarden.withheld TO {role};
GRANT EXECUTE ON FUNCTION memwarden.open_erasures_of(text), memwarden.users_to_purge(timestamptz, timestamptz, integer),
    memwarden.users_to_consolidate(timestamptz, text, integer), memwarden.threads_to_review(timestamptz, integer),
    memwarden.erasures_to_finish(integer), memwarden.tenant_erasures_to_finish(integer),
    memwarden.conversations_to_remove(timestamptz, integer), memwarden.conversations_to_title(timestamptz, integer),
    memwarden.users_of(text, integer) TO {role};
GRANT SELECT ON memwarden.schema_version TO {role};
-- The job queue: ids of tenants, users and erasures, and no content.
GRANT USAGE ON SCHEMA memwarden_jobs TO {role};
GRANT SELECT, INSERT, UPDATE, DELETE ON ALL TABLES IN SCHEMA memwarden_jobs TO {role};
GRANT USAGE ON ALL SEQUENCES IN SCHEMA memwarden_jobs TO {role};

-- name: preflight
-- Everything start-up wants to know about the server and the role it was given, in one row.
SELECT
    current_setting('server_version_num')::int AS server_version,
    current_setting('server_encoding') AS encoding,
    (SELECT extversion FROM pg_extension WHERE extname = 'vector') AS vector_version,
    (SELECT n.nspname FROM pg_extension e JOIN pg_namespace n ON n.oid = e.extnamespace
      WHERE e.extname = 'vector') AS vector_schema,
    current_user::text AS role,
    EXISTS (SELECT FROM pg_roles r WHERE r.rolsuper
             AND (r.rolname IN (current_user, session_user) OR pg_has_role(session_user, r.oid, 'MEMBER'))) AS superuser,
    EXISTS (SELECT FROM pg_roles r WHERE r.rolbypassrls
             AND (r.rolname IN (current_user, session_user) OR pg_has_role(session_user, r.oid, 'MEMBER'))) AS bypasses_rls,
    EXISTS (SELECT FROM pg_class c WHERE c.relnamespace = to_regnamespace('memwarden') AND c.relkind IN ('r', 'p')
             AND pg_has_role(session_user, c.relowner, 'MEMBER')) AS owns_tables,
    EXISTS (SELECT FROM pg_class c WHERE c.relnamespace = to_regnamespace('memwarden')
             AND c.relname = 'schema_version') AS migrated,
    coalesce(has_schema_privilege(to_regnamespace('memwarden')::oid, 'USAGE'), false) AS may_use_schema,
    ARRAY(SELECT c.relname::text FROM pg_class c
           WHERE c.relnamespace = to_regnamespace('memwarden') AND c.relkind IN ('r', 'p')
             AND c.relname <> 'schema_version' AND NOT (c.relrowsecurity AND c.relforcerowsecurity)
           ORDER BY 1) AS unprotected_tables

-- name: schema_version
-- The migration the tables stand at.
SELECT version_num FROM memwarden.schema_version
