-- name: insert
-- A sentence that already waits is not asked twice: the older proposal is returned unchanged.
INSERT INTO memwarden.proposal
    (tenant_id, user_id, id, type, key, content, purpose, reasons, evidence, replaces, status, created_at, expires_at,
     fingerprint)
VALUES
    (%(tenant_id)s, %(user_id)s, %(id)s, %(type)s, %(key)s, %(content)s, %(purpose)s, %(reasons)s, %(evidence)s,
     %(replaces)s, 'pending', %(now)s, %(expires_at)s, %(fingerprint)s)
ON CONFLICT (tenant_id, user_id, md5(content)) WHERE status = 'pending'
DO UPDATE SET expires_at = greatest(proposal.expires_at, excluded.expires_at), evidence = excluded.evidence
RETURNING *

-- name: was_declined
SELECT EXISTS (SELECT FROM memwarden.proposal
                WHERE tenant_id = %(tenant_id)s AND user_id = %(user_id)s AND fingerprint = %(fingerprint)s
                  AND status = 'declined' AND expires_at > %(now)s) AS declined

-- name: asked_in
-- What the user was asked about one of their messages.
SELECT * FROM memwarden.proposal
 WHERE tenant_id = %(tenant_id)s AND user_id = %(user_id)s AND status = 'pending' AND expires_at > %(now)s
   AND evidence ->> 'conversation_id' IS NOT DISTINCT FROM %(conversation_id)s
   AND evidence ->> 'message_id' = %(message_id)s
 ORDER BY id
 LIMIT %(limit)s

-- name: purge_expired
-- What waited too long, and what was decided long ago.
DELETE FROM memwarden.proposal
 WHERE tenant_id = %(tenant_id)s AND user_id = %(user_id)s AND expires_at <= %(now)s
RETURNING id, status

-- name: get_any
SELECT * FROM memwarden.proposal
 WHERE tenant_id = %(tenant_id)s AND user_id = %(user_id)s AND id = %(id)s
   FOR UPDATE

-- name: list_pending
SELECT * FROM memwarden.proposal
 WHERE tenant_id = %(tenant_id)s AND user_id = %(user_id)s AND status = 'pending' AND expires_at > %(now)s
 ORDER BY id
 LIMIT %(limit)s

-- name: decline_purpose
-- What waits to be kept for one purpose, or all that waits, is dropped with its words. Nobody declined it, so that it
-- may be asked again once the purpose is agreed to.
UPDATE memwarden.proposal
   SET status = 'declined', decided_at = %(now)s, content = '', key = NULL, evidence = '{}', fingerprint = ''
 WHERE tenant_id = %(tenant_id)s AND user_id = %(user_id)s AND status = 'pending'
   AND (%(purpose)s::text IS NULL OR %(purpose)s = ANY (string_to_array(purpose, '; ')))
RETURNING id

-- name: decide
-- A decided proposal keeps no words: a confirmed one lives on as a memory, a declined one not at all.
UPDATE memwarden.proposal
   SET status = %(status)s, decided_at = %(now)s, memory_id = %(memory_id)s, content = '', key = NULL, evidence = '{}',
       expires_at = greatest(expires_at, %(remembered_until)s)
 WHERE tenant_id = %(tenant_id)s AND user_id = %(user_id)s AND id = %(id)s AND status = 'pending'
RETURNING *
