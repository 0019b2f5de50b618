-- name: number
-- Written with the deletions it counts.
INSERT INTO memwarden.erasure (tenant_id, user_id, id, at, removed)
VALUES (%(tenant_id)s, %(user_id)s, %(id)s, %(at)s, %(removed)s)

-- name: latest
SELECT max(id) AS id FROM memwarden.erasure WHERE tenant_id = %(tenant_id)s AND user_id = %(user_id)s

-- name: stay_out
-- Writers of checkpoints may run beside each other, but not beside an erasure.
SELECT pg_advisory_xact_lock_shared(hashtextextended(%(tenant_id)s || chr(31) || %(user_id)s, 0))

-- name: memory
DELETE FROM memwarden.memory WHERE tenant_id = %(tenant_id)s AND user_id = %(user_id)s RETURNING 1 AS gone

-- name: proposal
DELETE FROM memwarden.proposal WHERE tenant_id = %(tenant_id)s AND user_id = %(user_id)s RETURNING 1 AS gone

-- name: checkpoints
DELETE FROM memwarden.checkpoints WHERE tenant_id = %(tenant_id)s AND user_id = %(user_id)s RETURNING 1 AS gone

-- name: checkpoint_blobs
DELETE FROM memwarden.checkpoint_blobs WHERE tenant_id = %(tenant_id)s AND user_id = %(user_id)s RETURNING 1 AS gone

-- name: checkpoint_writes
DELETE FROM memwarden.checkpoint_writes WHERE tenant_id = %(tenant_id)s AND user_id = %(user_id)s RETURNING 1 AS gone

-- name: residue
-- What is still there after an erasure.
SELECT (SELECT count(*) FROM memwarden.memory WHERE tenant_id = %(tenant_id)s AND user_id = %(user_id)s)
     + (SELECT count(*) FROM memwarden.proposal WHERE tenant_id = %(tenant_id)s AND user_id = %(user_id)s)
     + (SELECT count(*) FROM memwarden.checkpoints WHERE tenant_id = %(tenant_id)s AND user_id = %(user_id)s)
     + (SELECT count(*) FROM memwarden.checkpoint_blobs WHERE tenant_id = %(tenant_id)s AND user_id = %(user_id)s)
     + (SELECT count(*) FROM memwarden.checkpoint_writes WHERE tenant_id = %(tenant_id)s AND user_id = %(user_id)s) AS rows
