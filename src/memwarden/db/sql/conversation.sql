-- name: insert
INSERT INTO memwarden.conversation (tenant_id, user_id, id, title, titled_by, title_attempts, title_after, agents, created_at,
    last_active_at, state, pinned, listed, expires_at, delete_after, version)
VALUES (%(tenant_id)s, %(user_id)s, %(id)s, %(title)s, %(titled_by)s, %(title_attempts)s, %(title_after)s, %(agents)s,
    %(created_at)s, %(last_active_at)s, %(state)s, %(pinned)s, %(listed)s, %(expires_at)s, %(delete_after)s, %(version)s)

-- name: get
SELECT * FROM memwarden.conversation WHERE tenant_id = %(tenant_id)s AND user_id = %(user_id)s AND id = %(id)s

-- name: page
-- What the user sees of their conversations, the newest first.
SELECT * FROM memwarden.conversation
 WHERE tenant_id = %(tenant_id)s AND user_id = %(user_id)s
   AND listed AND pinned = %(pinned)s AND state <> 'deleted' AND (expires_at IS NULL OR expires_at > %(now)s)
   AND (%(before)s = '' OR id < %(before)s)
 ORDER BY id DESC
 LIMIT %(limit)s

-- name: list_all
SELECT * FROM memwarden.conversation
 WHERE tenant_id = %(tenant_id)s AND user_id = %(user_id)s
 ORDER BY id DESC
 LIMIT %(limit)s

-- name: update
-- Only by whoever saw the latest change.
UPDATE memwarden.conversation
   SET title = %(title)s, titled_by = %(titled_by)s, title_attempts = %(title_attempts)s, title_after = %(title_after)s,
       agents = %(agents)s, last_active_at = %(last_active_at)s, state = %(state)s, pinned = %(pinned)s, listed = %(listed)s,
       expires_at = %(expires_at)s, delete_after = %(delete_after)s, version = %(version)s
 WHERE tenant_id = %(tenant_id)s AND user_id = %(user_id)s AND id = %(id)s AND version = %(seen)s
RETURNING id

-- name: delete
DELETE FROM memwarden.conversation
 WHERE tenant_id = %(tenant_id)s AND user_id = %(user_id)s AND id = %(id)s AND version = %(seen)s
RETURNING id
