-- name: latest_place
-- What the next place comes after, and what its writer has to heed.
SELECT coalesce(max(place), 0) AS place, memwarden.fence(%(tenant_id)s, %(user_id)s, %(thread_id)s) AS erasure_id
  FROM memwarden.archive
 WHERE tenant_id = %(tenant_id)s AND user_id = %(user_id)s AND thread_id = %(thread_id)s

-- name: insert
-- What was put aside stays as it was first put aside.
INSERT INTO memwarden.archive (tenant_id, user_id, thread_id, kind, id, name, content, kept_at, place) VALUES
(%(tenant_id)s, %(user_id)s, %(thread_id)s, %(kind)s, %(id)s, %(name)s, %(content)s, %(kept_at)s, %(place)s)
ON CONFLICT (tenant_id, user_id, thread_id, kind, id) DO NOTHING
RETURNING 1 AS kept

-- name: page
SELECT * FROM memwarden.archive
 WHERE tenant_id = %(tenant_id)s AND user_id = %(user_id)s AND thread_id = %(thread_id)s AND place > %(after)s
 ORDER BY place
 LIMIT %(limit)s

-- name: get
SELECT * FROM memwarden.archive
 WHERE tenant_id = %(tenant_id)s AND user_id = %(user_id)s AND thread_id = %(thread_id)s
   AND kind = %(kind)s AND id = %(id)s

-- name: drop
DELETE FROM memwarden.archive
 WHERE tenant_id = %(tenant_id)s AND user_id = %(user_id)s AND thread_id = %(thread_id)s AND place = ANY(%(places)s)
