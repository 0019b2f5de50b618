-- name: insert
INSERT INTO memwarden.audit_event
       (tenant_id, user_id, id, at, actor, action, origin, reasons, record_id, fingerprints)
VALUES (%(tenant_id)s, %(user_id)s, %(id)s, %(at)s, %(actor)s, %(action)s, %(origin)s, %(reasons)s, %(record_id)s,
        %(fingerprints)s)

-- name: list_recent
SELECT * FROM memwarden.audit_event
 WHERE tenant_id = %(tenant_id)s AND user_id = %(user_id)s
 ORDER BY id DESC
 LIMIT %(limit)s
