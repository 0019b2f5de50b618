-- name: insert
-- An erasure takes from traces where the answer was given, also from those that come after it: the beginning of its id tells when it was.
INSERT INTO memwarden.read_trace (tenant_id, user_id, id, answer_id, conversation_id, at, record_ids)
VALUES (%(tenant_id)s, %(user_id)s, %(id)s, %(answer_id)s,
        CASE WHEN left(coalesce(memwarden.fence(%(tenant_id)s, %(user_id)s, %(conversation_id)s), ''), 10)
                  >= %(began)s::text COLLATE "C" THEN '' ELSE %(conversation_id)s END,
        %(at)s, %(record_ids)s)
RETURNING conversation_id

-- name: of_answer
-- An answer may have taken several model calls, each with a trace.
SELECT * FROM memwarden.read_trace
 WHERE tenant_id = %(tenant_id)s AND user_id = %(user_id)s AND answer_id = %(answer_id)s
 ORDER BY id

-- name: of_record
SELECT * FROM memwarden.read_trace
 WHERE tenant_id = %(tenant_id)s AND user_id = %(user_id)s AND record_ids @> ARRAY[%(record_id)s]
 ORDER BY id DESC
 LIMIT %(limit)s

-- name: list_all
SELECT * FROM memwarden.read_trace
 WHERE tenant_id = %(tenant_id)s AND user_id = %(user_id)s
 ORDER BY id DESC
 LIMIT %(limit)s

-- name: records
-- What the traced records are now: superseded and emptied ones too.
SELECT * FROM memwarden.memory
 WHERE tenant_id = %(tenant_id)s AND user_id = %(user_id)s AND id = ANY(%(ids)s)
 ORDER BY id
