-- name: insert
INSERT INTO memwarden.consent (tenant_id, user_id, id, purpose, granted, notice, conversation_id, at)
VALUES (%(tenant_id)s, %(user_id)s, %(id)s, %(purpose)s, %(granted)s, %(notice)s, %(conversation_id)s, %(at)s)

-- name: standing
-- With the number of the latest erasure, which a writer compares before it writes.
SELECT standing.*,
       memwarden.fence(%(tenant_id)s, %(user_id)s, %(conversation_id)s) AS erasure_id
  FROM memwarden.standing(%(tenant_id)s, %(user_id)s, %(conversation_id)s)

-- name: list_all
-- Every decision, newest first: the proof of what was agreed to, and when.
SELECT * FROM memwarden.consent
 WHERE tenant_id = %(tenant_id)s AND user_id = %(user_id)s
 ORDER BY id DESC
 LIMIT %(limit)s
