-- name: begin
-- Written with the deletions it counts; its second look, and stores elsewhere, may take longer.
INSERT INTO memwarden.erasure (tenant_id, user_id, id, at, removed, thread_id, state, fingerprints)
VALUES (%(tenant_id)s, %(user_id)s, %(id)s, %(at)s, %(removed)s, %(thread_id)s, 'unfinished', %(fingerprints)s)

-- name: get
SELECT * FROM memwarden.erasure WHERE tenant_id = %(tenant_id)s AND user_id = %(user_id)s AND id = %(id)s

-- name: list_all
SELECT * FROM memwarden.erasure
 WHERE tenant_id = %(tenant_id)s AND user_id = %(user_id)s
 ORDER BY id DESC
 LIMIT %(limit)s

-- name: finish
-- One that is complete stays as it was signed.
UPDATE memwarden.erasure
   SET state = %(state)s, stores = %(stores)s, receipt = %(receipt)s, completed_at = %(completed_at)s,
       fingerprints = CASE WHEN %(state)s = 'complete' THEN '{}' ELSE fingerprints END
 WHERE tenant_id = %(tenant_id)s AND user_id = %(user_id)s AND id = %(id)s AND state <> 'complete'
RETURNING id

-- name: latest
SELECT memwarden.fence(%(tenant_id)s, %(user_id)s, %(thread_id)s) AS id

-- name: stay_out
-- Writers of checkpoints may run beside each other, but not beside an erasure.
SELECT pg_advisory_xact_lock_shared(hashtextextended(%(tenant_id)s, 1)),
       pg_advisory_xact_lock_shared(hashtextextended(%(tenant_id)s || chr(31) || %(user_id)s, 0))

-- name: words
-- What is about to be removed and was once said, to look for it afterwards.
SELECT content FROM memwarden.memory WHERE tenant_id = %(tenant_id)s AND user_id = %(user_id)s AND content <> ''
UNION ALL
SELECT content FROM memwarden.proposal WHERE tenant_id = %(tenant_id)s AND user_id = %(user_id)s AND content <> ''

-- name: memory
DELETE FROM memwarden.memory WHERE tenant_id = %(tenant_id)s AND user_id = %(user_id)s RETURNING 1 AS gone

-- name: proposal
DELETE FROM memwarden.proposal WHERE tenant_id = %(tenant_id)s AND user_id = %(user_id)s RETURNING 1 AS gone

-- name: checkpoint
DELETE FROM memwarden.checkpoint WHERE tenant_id = %(tenant_id)s AND user_id = %(user_id)s RETURNING 1 AS gone

-- name: checkpoint_part
DELETE FROM memwarden.checkpoint_part WHERE tenant_id = %(tenant_id)s AND user_id = %(user_id)s RETURNING 1 AS gone

-- name: checkpoint_value
DELETE FROM memwarden.checkpoint_value WHERE tenant_id = %(tenant_id)s AND user_id = %(user_id)s RETURNING 1 AS gone

-- name: checkpoint_write
DELETE FROM memwarden.checkpoint_write WHERE tenant_id = %(tenant_id)s AND user_id = %(user_id)s RETURNING 1 AS gone

-- name: archive
DELETE FROM memwarden.archive WHERE tenant_id = %(tenant_id)s AND user_id = %(user_id)s RETURNING 1 AS gone

-- name: thread
DELETE FROM memwarden.thread WHERE tenant_id = %(tenant_id)s AND user_id = %(user_id)s RETURNING 1 AS gone

-- name: conversation
DELETE FROM memwarden.conversation WHERE tenant_id = %(tenant_id)s AND user_id = %(user_id)s RETURNING 1 AS gone

-- name: upkeep
DELETE FROM memwarden.upkeep WHERE tenant_id = %(tenant_id)s AND user_id = %(user_id)s RETURNING 1 AS gone

-- name: unplace_traces
-- A trace shows which records an answer rested on, by ids; where that was is dropped.
UPDATE memwarden.read_trace SET conversation_id = ''
 WHERE tenant_id = %(tenant_id)s AND user_id = %(user_id)s AND conversation_id <> ''
   AND (%(thread_id)s = '' OR conversation_id = %(thread_id)s)
RETURNING 1 AS gone

-- name: conversation_memory
-- What was noted of a conversation without the user's saying so goes with it.
DELETE FROM memwarden.memory
 WHERE tenant_id = %(tenant_id)s AND user_id = %(user_id)s
   AND type = 'episode' AND evidence ->> 'conversation_id' = %(thread_id)s
RETURNING 1 AS gone

-- name: conversation_proposal
DELETE FROM memwarden.proposal
 WHERE tenant_id = %(tenant_id)s AND user_id = %(user_id)s AND evidence ->> 'conversation_id' = %(thread_id)s
RETURNING 1 AS gone

-- name: conversation_checkpoint
DELETE FROM memwarden.checkpoint
 WHERE tenant_id = %(tenant_id)s AND user_id = %(user_id)s AND thread_id = %(thread_id)s RETURNING 1 AS gone

-- name: conversation_checkpoint_part
DELETE FROM memwarden.checkpoint_part
 WHERE tenant_id = %(tenant_id)s AND user_id = %(user_id)s AND thread_id = %(thread_id)s RETURNING 1 AS gone

-- name: conversation_checkpoint_value
DELETE FROM memwarden.checkpoint_value
 WHERE tenant_id = %(tenant_id)s AND user_id = %(user_id)s AND thread_id = %(thread_id)s RETURNING 1 AS gone

-- name: conversation_checkpoint_write
DELETE FROM memwarden.checkpoint_write
 WHERE tenant_id = %(tenant_id)s AND user_id = %(user_id)s AND thread_id = %(thread_id)s RETURNING 1 AS gone

-- name: conversation_archive
DELETE FROM memwarden.archive
 WHERE tenant_id = %(tenant_id)s AND user_id = %(user_id)s AND thread_id = %(thread_id)s RETURNING 1 AS gone

-- name: conversation_thread
DELETE FROM memwarden.thread
 WHERE tenant_id = %(tenant_id)s AND user_id = %(user_id)s AND thread_id = %(thread_id)s RETURNING 1 AS gone

-- name: conversation_conversation
DELETE FROM memwarden.conversation
 WHERE tenant_id = %(tenant_id)s AND user_id = %(user_id)s AND id = %(thread_id)s RETURNING 1 AS gone

-- name: conversation_words
SELECT content FROM memwarden.memory
 WHERE tenant_id = %(tenant_id)s AND user_id = %(user_id)s AND content <> ''
   AND type = 'episode' AND evidence ->> 'conversation_id' = %(thread_id)s
UNION ALL
SELECT content FROM memwarden.proposal
 WHERE tenant_id = %(tenant_id)s AND user_id = %(user_id)s AND content <> ''
   AND evidence ->> 'conversation_id' = %(thread_id)s

-- name: drop_evidence
-- What the user asked to have remembered stays, and no longer says where they said it.
UPDATE memwarden.memory SET evidence = '{}'
 WHERE tenant_id = %(tenant_id)s AND user_id = %(user_id)s AND status <> 'deleted'
   AND (evidence ->> 'conversation_id' = %(thread_id)s OR evidence @> %(among)s)

-- name: residue
-- What is still there after an erasure and was there before it, by table.
SELECT 'memory' AS store, count(*) AS rows FROM memwarden.memory
 WHERE tenant_id = %(tenant_id)s AND user_id = %(user_id)s AND recorded_at < %(at)s
   AND (%(thread_id)s = '' OR type = 'episode' AND evidence ->> 'conversation_id' = %(thread_id)s)
UNION ALL
SELECT 'proposal', count(*) FROM memwarden.proposal
 WHERE tenant_id = %(tenant_id)s AND user_id = %(user_id)s AND created_at < %(at)s
   AND (%(thread_id)s = '' OR evidence ->> 'conversation_id' = %(thread_id)s)
UNION ALL
SELECT 'thread', count(*) FROM memwarden.thread
 WHERE tenant_id = %(tenant_id)s AND user_id = %(user_id)s AND started_at < %(at)s
   AND (%(thread_id)s = '' OR thread_id = %(thread_id)s)
UNION ALL
SELECT 'conversation', count(*) FROM memwarden.conversation
 WHERE tenant_id = %(tenant_id)s AND user_id = %(user_id)s AND created_at < %(at)s
   AND (%(thread_id)s = '' OR id = %(thread_id)s)
UNION ALL
SELECT 'upkeep', count(*) FROM memwarden.upkeep
 WHERE tenant_id = %(tenant_id)s AND user_id = %(user_id)s AND consolidated_at < %(at)s AND %(thread_id)s = ''
UNION ALL
SELECT held.store, count(*)
  FROM (SELECT 'checkpoint' AS store, thread_id FROM memwarden.checkpoint
         WHERE tenant_id = %(tenant_id)s AND user_id = %(user_id)s
        UNION ALL
        SELECT 'checkpoint_part', thread_id FROM memwarden.checkpoint_part
         WHERE tenant_id = %(tenant_id)s AND user_id = %(user_id)s
        UNION ALL
        SELECT 'checkpoint_value', thread_id FROM memwarden.checkpoint_value
         WHERE tenant_id = %(tenant_id)s AND user_id = %(user_id)s
        UNION ALL
        SELECT 'checkpoint_write', thread_id FROM memwarden.checkpoint_write
         WHERE tenant_id = %(tenant_id)s AND user_id = %(user_id)s
        UNION ALL
        SELECT 'archive', thread_id FROM memwarden.archive
         WHERE tenant_id = %(tenant_id)s AND user_id = %(user_id)s) AS held
 WHERE (%(thread_id)s = '' OR held.thread_id = %(thread_id)s)
   -- A conversation that began after the erasure has a thread of its own.
   AND NOT EXISTS (SELECT FROM memwarden.thread
                    WHERE thread.tenant_id = %(tenant_id)s AND thread.user_id = %(user_id)s
                      AND thread.thread_id = held.thread_id AND thread.started_at >= %(at)s)
 GROUP BY held.store

-- name: survivors
-- Every row about the user that an erasure leaves, as text, to be looked through for what was erased.
SELECT 'audit_event' AS store, audit_event::text AS text FROM memwarden.audit_event
 WHERE tenant_id = %(tenant_id)s AND user_id = %(user_id)s
UNION ALL
SELECT 'consent', consent::text FROM memwarden.consent WHERE tenant_id = %(tenant_id)s AND user_id = %(user_id)s
UNION ALL
SELECT 'erasure', (removed, stores, receipt)::text FROM memwarden.erasure
 WHERE tenant_id = %(tenant_id)s AND user_id = %(user_id)s
UNION ALL
SELECT 'read_trace', read_trace::text FROM memwarden.read_trace
 WHERE tenant_id = %(tenant_id)s AND user_id = %(user_id)s
UNION ALL
SELECT 'legal_hold', legal_hold::text FROM memwarden.legal_hold
 WHERE tenant_id = %(tenant_id)s AND user_id = %(user_id)s

-- name: jobs
-- What waits to be done for the user, or was done; a job that is running goes on, and finds nothing.
DELETE FROM memwarden_jobs.procrastinate_jobs
 WHERE args ->> 'tenant_id' = %(tenant_id)s AND args ->> 'user_id' = %(user_id)s AND status <> 'doing'
   AND coalesce(args ->> 'erasure_id', '') = '' AND (%(thread_id)s = '' OR args ->> 'thread_id' = %(thread_id)s)
RETURNING 1 AS gone

-- name: withheld
-- What a legal hold keeps.
SELECT count(*) AS rows FROM memwarden.withheld WHERE tenant_id = %(tenant_id)s AND user_id = %(user_id)s
