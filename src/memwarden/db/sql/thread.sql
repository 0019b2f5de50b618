-- name: note
-- A conversation goes on.
INSERT INTO memwarden.thread (tenant_id, user_id, thread_id, started_at, last_active_at)
VALUES (%(tenant_id)s, %(user_id)s, %(thread_id)s, %(at)s, %(at)s)
ON CONFLICT (tenant_id, user_id, thread_id)
DO UPDATE SET last_active_at = greatest(thread.last_active_at, excluded.last_active_at), ended_at = NULL

-- name: touch
-- The user came back to a conversation, whether or not they go on with it.
UPDATE memwarden.thread SET last_active_at = greatest(last_active_at, %(at)s)
 WHERE tenant_id = %(tenant_id)s AND user_id = %(user_id)s AND thread_id = %(thread_id)s

-- name: finish
UPDATE memwarden.thread SET ended_at = greatest(last_active_at, %(at)s)
 WHERE tenant_id = %(tenant_id)s AND user_id = %(user_id)s AND thread_id = %(thread_id)s AND ended_at IS NULL
RETURNING thread_id

-- name: get
SELECT * FROM memwarden.thread
 WHERE tenant_id = %(tenant_id)s AND user_id = %(user_id)s AND thread_id = %(thread_id)s

-- name: lock
SELECT last_active_at FROM memwarden.thread
 WHERE tenant_id = %(tenant_id)s AND user_id = %(user_id)s AND thread_id = %(thread_id)s
   FOR UPDATE

-- name: list_all
SELECT * FROM memwarden.thread
 WHERE tenant_id = %(tenant_id)s AND user_id = %(user_id)s
 ORDER BY last_active_at DESC, thread_id
 LIMIT %(limit)s

-- name: reviewed
UPDATE memwarden.thread
   SET reviewed_at = greatest(reviewed_at, %(at)s), reviewed_until = coalesce(nullif(%(until)s, ''), reviewed_until)
 WHERE tenant_id = %(tenant_id)s AND user_id = %(user_id)s AND thread_id = %(thread_id)s

-- name: make_stale
-- Messages that hold what was forgotten.
UPDATE memwarden.thread
   SET stale_messages = ARRAY(SELECT DISTINCT unnest(stale_messages || %(messages)s::text[]))
 WHERE tenant_id = %(tenant_id)s AND user_id = %(user_id)s AND thread_id = %(thread_id)s

-- name: stale
SELECT stale_messages FROM memwarden.thread
 WHERE tenant_id = %(tenant_id)s AND user_id = %(user_id)s AND thread_id = %(thread_id)s

-- name: freshen
UPDATE memwarden.thread
   SET stale_messages = ARRAY(SELECT unnest(stale_messages) EXCEPT SELECT unnest(%(messages)s::text[]))
 WHERE tenant_id = %(tenant_id)s AND user_id = %(user_id)s AND thread_id = %(thread_id)s

-- name: idle
-- Conversations whose workflow ended, or that nobody went on with, long enough ago.
SELECT thread_id FROM memwarden.thread
 WHERE tenant_id = %(tenant_id)s AND user_id = %(user_id)s AND last_active_at <= %(before)s
 ORDER BY thread_id
 LIMIT %(limit)s

-- name: begin_run
-- A run holds the thread by its token until it ends, or gives no sign of life for so long; the time is the database's own.
INSERT INTO memwarden.thread (tenant_id, user_id, thread_id, started_at, last_active_at, run_token, run_until)
VALUES (%(tenant_id)s, %(user_id)s, %(thread_id)s, %(at)s, %(at)s, %(token)s,
        clock_timestamp() + make_interval(secs => %(lasts_s)s))
ON CONFLICT (tenant_id, user_id, thread_id)
DO UPDATE SET run_token = excluded.run_token, run_until = excluded.run_until
 WHERE thread.run_token IS NULL OR thread.run_until < clock_timestamp()
RETURNING thread_id

-- name: renew_run
UPDATE memwarden.thread SET run_until = clock_timestamp() + make_interval(secs => %(lasts_s)s)
 WHERE tenant_id = %(tenant_id)s AND user_id = %(user_id)s AND thread_id = %(thread_id)s AND run_token = %(token)s

-- name: end_run
UPDATE memwarden.thread SET run_token = NULL, run_until = NULL
 WHERE tenant_id = %(tenant_id)s AND user_id = %(user_id)s AND thread_id = %(thread_id)s AND run_token = %(token)s
