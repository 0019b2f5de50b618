-- name: insert
INSERT INTO memwarden.export (tenant_id, user_id, id, path, created_at, expires_at)
VALUES (%(tenant_id)s, %(user_id)s, %(id)s, %(path)s, %(now)s, %(expires_at)s)

-- name: list_all
SELECT * FROM memwarden.export
 WHERE tenant_id = %(tenant_id)s AND user_id = %(user_id)s
 ORDER BY id DESC

-- name: remove
DELETE FROM memwarden.export WHERE tenant_id = %(tenant_id)s AND user_id = %(user_id)s AND id = %(id)s

-- name: everything_kept
-- Every version of every memory that still says something, the present ones first.
SELECT * FROM memwarden.memory
 WHERE tenant_id = %(tenant_id)s AND user_id = %(user_id)s AND status <> 'deleted' AND expires_at > %(now)s
 ORDER BY status, id
