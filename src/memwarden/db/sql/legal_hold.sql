-- name: place
INSERT INTO memwarden.legal_hold (tenant_id, user_id, id, reference, placed_at)
VALUES (%(tenant_id)s, %(user_id)s, %(id)s, %(reference)s, %(at)s)

-- name: release
UPDATE memwarden.legal_hold SET released_at = %(at)s
 WHERE tenant_id = %(tenant_id)s AND user_id = %(user_id)s AND id = %(id)s AND released_at IS NULL
RETURNING *

-- name: list_all
SELECT * FROM memwarden.legal_hold
 WHERE tenant_id = %(tenant_id)s AND user_id = %(user_id)s
 ORDER BY id DESC
 LIMIT %(limit)s

-- name: standing
SELECT EXISTS (SELECT FROM memwarden.legal_hold
                WHERE tenant_id = %(tenant_id)s AND user_id = %(user_id)s AND released_at IS NULL) AS held
