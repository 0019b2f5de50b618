-- name: take_turn
-- Writers of one thread take turns on its row, from here to the end of their transactions; an erasure keeps them out.
INSERT INTO memwarden.thread (tenant_id, user_id, thread_id, started_at, last_active_at)
VALUES (%(tenant_id)s, %(user_id)s, %(thread_id)s, %(at)s, %(at)s)
ON CONFLICT (tenant_id, user_id, thread_id)
DO UPDATE SET last_active_at = greatest(thread.last_active_at, excluded.last_active_at), ended_at = NULL
RETURNING parts, generation, memwarden.fence(%(tenant_id)s, %(user_id)s, %(thread_id)s) AS erasure_id

-- name: count_parts
UPDATE memwarden.thread SET parts = %(parts)s
 WHERE tenant_id = %(tenant_id)s AND user_id = %(user_id)s AND thread_id = %(thread_id)s

-- name: turn_as_expected
SELECT memwarden.turn_as_expected(%(tenant_id)s, %(user_id)s, %(thread_id)s, %(at)s, %(expected_parts)s,
                                  %(expected_generation)s, %(expected_fence)s, %(follows)s, %(head)s)

-- name: head
SELECT max(id) AS id FROM memwarden.checkpoint
 WHERE tenant_id = %(tenant_id)s AND user_id = %(user_id)s AND thread_id = %(thread_id)s AND ns = ''

-- name: whole
-- Here and below, rows are looked up one by one (LATERAL with a LIMIT or OFFSET): a planner that has not seen a long thread
-- yet takes every prefix of the key for one row, and would read the thread again for each.
-- A checkpoint, the latest where none is named, with the values of its channels and what was written after it, and the
-- thread's fence, which is there even where the checkpoint is not.
WITH found AS MATERIALIZED (
    SELECT * FROM memwarden.checkpoint
     WHERE tenant_id = %(tenant_id)s AND user_id = %(user_id)s AND thread_id = %(thread_id)s AND ns = %(ns)s
       AND (%(id)s::text IS NULL OR id = %(id)s)
     ORDER BY id DESC
     LIMIT 1
)
SELECT 'fence' AS kind, memwarden.fence(%(tenant_id)s, %(user_id)s, %(thread_id)s) AS id, NULL AS parent_id,
       NULL AS run_id, NULL::jsonb AS facts, NULL::jsonb AS versions, NULL::bytea AS bytes, NULL AS channel,
       NULL AS version, NULL AS task_path, NULL AS task_id, 0 AS idx, 0::smallint AS form
UNION ALL
SELECT 'checkpoint', id, parent_id, run_id, facts, versions, skeleton, NULL, NULL, NULL, NULL, 0, 0::smallint FROM found
UNION ALL
SELECT 'value', NULL, NULL, NULL, NULL, NULL, value.refs, value.channel, value.version, NULL, NULL, 0, value.form
  FROM found
 CROSS JOIN jsonb_each_text(found.versions) AS wanted
 CROSS JOIN LATERAL (SELECT * FROM memwarden.checkpoint_value
                      WHERE tenant_id = %(tenant_id)s AND user_id = %(user_id)s AND thread_id = %(thread_id)s
                        AND ns = %(ns)s AND channel = wanted.key AND version = wanted.value
                      LIMIT 1) AS value
UNION ALL
SELECT 'write', NULL, NULL, NULL, NULL, NULL, write.refs, write.channel, NULL, write.task_path, write.task_id, write.idx,
       write.form
  FROM found
 CROSS JOIN LATERAL (SELECT * FROM memwarden.checkpoint_write
                      WHERE tenant_id = %(tenant_id)s AND user_id = %(user_id)s AND thread_id = %(thread_id)s
                        AND ns = %(ns)s AND checkpoint_id = found.id
                     OFFSET 0) AS write

-- name: ancestors
-- The ancestors of a checkpoint, the nearest first, with the values and writes of channels; the first of them is asked for
-- by its own id, and not returned.
WITH RECURSIVE chain AS (
    SELECT parent_id AS id, 1 AS distance FROM memwarden.checkpoint
     WHERE tenant_id = %(tenant_id)s AND user_id = %(user_id)s AND thread_id = %(thread_id)s AND ns = %(ns)s
       AND id = %(id)s
    UNION ALL
    SELECT older.parent_id, chain.distance + 1
      FROM chain
     CROSS JOIN LATERAL (SELECT * FROM memwarden.checkpoint
                          WHERE tenant_id = %(tenant_id)s AND user_id = %(user_id)s AND thread_id = %(thread_id)s
                            AND ns = %(ns)s AND id = chain.id
                          LIMIT 1) AS older
     WHERE chain.distance < %(limit)s
)
SELECT chain.id, chain.distance, value.channel, value.version, value.form, value.refs,
       NULL AS task_path, NULL AS task_id, 0 AS idx
  FROM chain
 CROSS JOIN LATERAL (SELECT versions FROM memwarden.checkpoint
                      WHERE tenant_id = %(tenant_id)s AND user_id = %(user_id)s AND thread_id = %(thread_id)s
                        AND ns = %(ns)s AND id = chain.id
                      LIMIT 1) AS held
 CROSS JOIN unnest(%(channels)s::text[]) AS wanted(channel)
  LEFT JOIN LATERAL (SELECT * FROM memwarden.checkpoint_value
                      WHERE tenant_id = %(tenant_id)s AND user_id = %(user_id)s AND thread_id = %(thread_id)s
                        AND ns = %(ns)s AND channel = wanted.channel AND version = held.versions ->> wanted.channel
                        AND form > 0
                      LIMIT 1) AS value ON true
UNION ALL
SELECT chain.id, chain.distance, write.channel, NULL, write.form, write.refs, write.task_path, write.task_id, write.idx
  FROM chain
 CROSS JOIN LATERAL (SELECT * FROM memwarden.checkpoint_write
                      WHERE tenant_id = %(tenant_id)s AND user_id = %(user_id)s AND thread_id = %(thread_id)s
                        AND ns = %(ns)s AND checkpoint_id = chain.id AND channel = ANY(%(channels)s)
                     OFFSET 0) AS write
 ORDER BY distance

-- name: known_parts
SELECT number, hash FROM memwarden.checkpoint_part
 WHERE tenant_id = %(tenant_id)s AND user_id = %(user_id)s AND thread_id = %(thread_id)s 
   AND (%(hashes)s::bytea[] IS NULL OR hash = ANY(%(hashes)s::bytea[]))

-- name: list
SELECT * FROM memwarden.checkpoint
 WHERE tenant_id = %(tenant_id)s AND user_id = %(user_id)s
   AND (%(thread_id)s::text IS NULL OR thread_id = %(thread_id)s)
   AND (%(ns)s::text IS NULL OR ns = %(ns)s)
   AND (%(id)s::text IS NULL OR id = %(id)s)
   AND (%(before)s::text IS NULL OR id < %(before)s)
   AND facts @> %(facts)s
   AND (%(after_id)s::text IS NULL OR id < %(after_id)s
        OR id = %(after_id)s AND (thread_id, ns) > (%(after_thread)s, %(after_ns)s))
 ORDER BY id DESC, thread_id, ns
 LIMIT %(limit)s

-- name: values
SELECT value.*
  FROM (SELECT unnest(%(threads)s::text[]) AS thread_id, unnest(%(spaces)s::text[]) AS ns,
               unnest(%(channels)s::text[]) AS channel, unnest(%(versions)s::text[]) AS version) AS wanted
 CROSS JOIN LATERAL (SELECT * FROM memwarden.checkpoint_value
                      WHERE tenant_id = %(tenant_id)s AND user_id = %(user_id)s AND thread_id = wanted.thread_id
                        AND ns = wanted.ns AND channel = wanted.channel AND version = wanted.version
                      LIMIT 1) AS value

-- name: writes
SELECT * FROM memwarden.checkpoint_write
 WHERE tenant_id = %(tenant_id)s AND user_id = %(user_id)s AND thread_id = ANY(%(threads)s)
   AND checkpoint_id = ANY(%(ids)s)
 ORDER BY thread_id, ns, checkpoint_id, task_path, task_id, idx

-- name: parts
SELECT number, content FROM memwarden.checkpoint_part
 WHERE tenant_id = %(tenant_id)s AND user_id = %(user_id)s AND thread_id = %(thread_id)s AND number = ANY(%(numbers)s)

-- name: put_checkpoint
INSERT INTO memwarden.checkpoint (tenant_id, user_id, thread_id, ns, id, parent_id, run_id, facts, versions, skeleton)
VALUES (%(tenant_id)s, %(user_id)s, %(thread_id)s, %(ns)s, %(id)s, %(parent_id)s, %(run_id)s, %(facts)s, %(versions)s,
        %(skeleton)s)
ON CONFLICT (tenant_id, user_id, thread_id, ns, id)
DO UPDATE SET parent_id = excluded.parent_id, run_id = excluded.run_id, facts = excluded.facts,
              versions = excluded.versions, skeleton = excluded.skeleton

-- name: put_part
INSERT INTO memwarden.checkpoint_part (tenant_id, user_id, thread_id, number, hash, content) VALUES
(%(tenant_id)s, %(user_id)s, %(thread_id)s, %(number)s, %(hash)s, %(content)s)

-- name: put_value
INSERT INTO memwarden.checkpoint_value (tenant_id, user_id, thread_id, ns, channel, version, form, refs) VALUES
(%(tenant_id)s, %(user_id)s, %(thread_id)s, %(ns)s, %(channel)s, %(version)s, %(form)s, %(refs)s)
ON CONFLICT (tenant_id, user_id, thread_id, ns, channel, version) DO UPDATE SET form = excluded.form, refs = excluded.refs

-- name: put_write
-- What a task wrote stays as it was first written.
INSERT INTO memwarden.checkpoint_write
       (tenant_id, user_id, thread_id, ns, checkpoint_id, task_path, task_id, idx, channel, form, refs) VALUES
(%(tenant_id)s, %(user_id)s, %(thread_id)s, %(ns)s, %(checkpoint_id)s, %(task_path)s, %(task_id)s, %(idx)s, %(channel)s,
 %(form)s, %(refs)s)
ON CONFLICT (tenant_id, user_id, thread_id, ns, checkpoint_id, task_id, idx) DO NOTHING

-- name: replace_write
-- An error, an interrupt, a resume or a schedule of a task takes the place of the one before.
INSERT INTO memwarden.checkpoint_write
       (tenant_id, user_id, thread_id, ns, checkpoint_id, task_path, task_id, idx, channel, form, refs) VALUES
(%(tenant_id)s, %(user_id)s, %(thread_id)s, %(ns)s, %(checkpoint_id)s, %(task_path)s, %(task_id)s, %(idx)s, %(channel)s,
 %(form)s, %(refs)s)
ON CONFLICT (tenant_id, user_id, thread_id, ns, checkpoint_id, task_id, idx)
DO UPDATE SET channel = excluded.channel, form = excluded.form, refs = excluded.refs, task_path = excluded.task_path

-- name: lock_thread
SELECT parts, generation, memwarden.fence(%(tenant_id)s, %(user_id)s, %(thread_id)s) AS erasure_id
  FROM memwarden.thread
 WHERE tenant_id = %(tenant_id)s AND user_id = %(user_id)s AND thread_id = %(thread_id)s
   FOR UPDATE

-- name: all_checkpoints
SELECT * FROM memwarden.checkpoint
 WHERE tenant_id = %(tenant_id)s AND user_id = %(user_id)s AND thread_id = %(thread_id)s
 ORDER BY ns, id DESC

-- name: all_values
SELECT * FROM memwarden.checkpoint_value
 WHERE tenant_id = %(tenant_id)s AND user_id = %(user_id)s AND thread_id = %(thread_id)s

-- name: all_writes
SELECT * FROM memwarden.checkpoint_write
 WHERE tenant_id = %(tenant_id)s AND user_id = %(user_id)s AND thread_id = %(thread_id)s

-- name: all_parts
SELECT * FROM memwarden.checkpoint_part
 WHERE tenant_id = %(tenant_id)s AND user_id = %(user_id)s AND thread_id = %(thread_id)s
 ORDER BY number

-- name: drop_checkpoints
WITH dropped AS (SELECT unnest(%(spaces)s::text[]) AS ns, unnest(%(ids)s::text[]) AS id),
writes AS (
    DELETE FROM memwarden.checkpoint_write AS gone USING dropped
     WHERE gone.tenant_id = %(tenant_id)s AND gone.user_id = %(user_id)s AND gone.thread_id = %(thread_id)s
       AND gone.ns = dropped.ns AND gone.checkpoint_id = dropped.id)
DELETE FROM memwarden.checkpoint AS gone USING dropped
 WHERE gone.tenant_id = %(tenant_id)s AND gone.user_id = %(user_id)s AND gone.thread_id = %(thread_id)s
   AND gone.ns = dropped.ns AND gone.id = dropped.id

-- name: drop_values
DELETE FROM memwarden.checkpoint_value AS gone
 USING (SELECT unnest(%(spaces)s::text[]) AS ns, unnest(%(channels)s::text[]) AS channel,
               unnest(%(versions)s::text[]) AS version) AS dropped
 WHERE gone.tenant_id = %(tenant_id)s AND gone.user_id = %(user_id)s AND gone.thread_id = %(thread_id)s
   AND gone.ns = dropped.ns AND gone.channel = dropped.channel AND gone.version = dropped.version

-- name: keep_parts
-- Parts that nothing refers to any more go, and whoever remembers their numbers is told by the next generation.
WITH gone AS (
    DELETE FROM memwarden.checkpoint_part
     WHERE tenant_id = %(tenant_id)s AND user_id = %(user_id)s AND thread_id = %(thread_id)s
       AND NOT number = ANY(%(numbers)s))
UPDATE memwarden.thread SET generation = generation + 1
 WHERE tenant_id = %(tenant_id)s AND user_id = %(user_id)s AND thread_id = %(thread_id)s

-- name: threads_of_runs
SELECT DISTINCT thread_id FROM memwarden.checkpoint
 WHERE tenant_id = %(tenant_id)s AND user_id = %(user_id)s AND run_id = ANY(%(runs)s)
