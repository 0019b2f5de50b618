-- name: application_role_grants
-- What the application role may do; {role} is its quoted name. Run again after every migration.
GRANT USAGE ON SCHEMA memwarden TO {role};
GRANT SELECT, INSERT, UPDATE, DELETE ON memwarden.memory, memwarden.proposal,
    memwarden.checkpoints, memwarden.checkpoint_blobs, memwarden.checkpoint_writes TO {role};
-- The log is append-only: no update, no delete, no truncate.
GRANT SELECT, INSERT ON memwarden.audit_event, memwarden.consent, memwarden.erasure TO {role};
GRANT SELECT ON memwarden.schema_version TO {role};

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
