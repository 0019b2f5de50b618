-- name: shut_out
-- Nobody writes anything for the tenant while its erasure is begun.
SELECT pg_advisory_xact_lock(hashtextextended(%(tenant_id)s, 1))

-- name: begin
INSERT INTO memwarden.tenant_erasure (tenant_id, id, at, state) VALUES (%(tenant_id)s, %(id)s, %(at)s, 'unfinished')

-- name: get
SELECT * FROM memwarden.tenant_erasure WHERE tenant_id = %(tenant_id)s AND id = %(id)s

-- name: list_all
SELECT * FROM memwarden.tenant_erasure WHERE tenant_id = %(tenant_id)s ORDER BY id DESC LIMIT %(limit)s

-- name: users
-- Everybody in the tenant about whom there is anything.
SELECT user_id FROM memwarden.users_of(%(tenant_id)s, %(limit)s)

-- name: count_users
UPDATE memwarden.tenant_erasure SET users = users + %(users)s
 WHERE tenant_id = %(tenant_id)s AND id = %(id)s AND state <> 'complete'

-- name: open
-- What is not complete yet of its users.
SELECT state, erasures FROM memwarden.open_erasures_of(%(tenant_id)s)

-- name: finish
UPDATE memwarden.tenant_erasure
   SET state = %(state)s, stores = %(stores)s, receipt = %(receipt)s, completed_at = %(completed_at)s
 WHERE tenant_id = %(tenant_id)s AND id = %(id)s AND state <> 'complete'
RETURNING id
