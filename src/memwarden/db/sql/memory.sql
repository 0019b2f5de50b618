-- name: lock_user
-- Writers of one user's memory take turns until their transaction ends; an erasure of the tenant waits for all of them.
SELECT pg_advisory_xact_lock_shared(hashtextextended(%(tenant_id)s, 1)),
       pg_advisory_xact_lock(hashtextextended(%(tenant_id)s || chr(31) || %(user_id)s, 0))

-- name: supersede_slot
-- The slot's present value steps aside for the record named by superseded_by.
UPDATE memwarden.memory
   SET status = 'superseded', superseded_by = %(superseded_by)s, updated_at = %(now)s, ended_at = %(now)s
 WHERE tenant_id = %(tenant_id)s AND user_id = %(user_id)s
   AND key = %(key)s AND status = 'active'
RETURNING id

-- name: supersede_record
UPDATE memwarden.memory
   SET status = 'superseded', superseded_by = %(superseded_by)s, updated_at = %(now)s, ended_at = %(now)s
 WHERE tenant_id = %(tenant_id)s AND user_id = %(user_id)s
   AND id = %(id)s AND status = 'active'
RETURNING id

-- name: renew
-- The same statement was made again: an active record lives on from now, a lapsed one is revived.
UPDATE memwarden.memory
   SET updated_at = %(now)s, expires_at = greatest(expires_at, %(expires_at)s),
       source = CASE WHEN source = 'system' THEN %(source)s ELSE source END
 WHERE tenant_id = %(tenant_id)s AND user_id = %(user_id)s
   AND status = 'active' AND content = %(content)s AND key IS NOT DISTINCT FROM %(key)s
RETURNING *

-- name: insert
INSERT INTO memwarden.memory
    (tenant_id, user_id, id, type, key, content, details, source, status, purpose, evidence,
     created_at, recorded_at, updated_at, expires_at, application_key, embedding, embedding_model, search)
VALUES
    (%(tenant_id)s, %(user_id)s, %(id)s, %(type)s, %(key)s, %(content)s, %(details)s, %(source)s, 'active',
     %(purpose)s, %(evidence)s, %(created_at)s, %(now)s, %(now)s, %(expires_at)s, %(application_key)s,
     %(embedding)s::halfvec, %(embedding_model)s,
     to_tsvector('simple', %(content)s) || array_to_tsvector(%(grams)s::text[]))
RETURNING *

-- name: get
SELECT * FROM memwarden.memory
 WHERE tenant_id = %(tenant_id)s AND user_id = %(user_id)s
   AND id = %(id)s AND status = 'active' AND expires_at > %(now)s

-- name: get_all
SELECT * FROM memwarden.memory
 WHERE tenant_id = %(tenant_id)s AND user_id = %(user_id)s
   AND id = ANY (%(ids)s::text[]) AND status = 'active' AND expires_at > %(now)s

-- name: same
SELECT * FROM memwarden.memory
 WHERE tenant_id = %(tenant_id)s AND user_id = %(user_id)s
   AND status = 'active' AND expires_at > %(now)s AND content = %(content)s AND key IS NOT DISTINCT FROM %(key)s
 LIMIT 1

-- name: list_active
SELECT * FROM memwarden.memory
 WHERE tenant_id = %(tenant_id)s AND user_id = %(user_id)s
   AND status = 'active' AND expires_at > %(now)s
 ORDER BY id DESC
 LIMIT %(limit)s

-- name: list_as_of
-- What was remembered at a past instant, as far as it is still there.
SELECT * FROM memwarden.memory
 WHERE tenant_id = %(tenant_id)s AND user_id = %(user_id)s
   AND status <> 'deleted' AND recorded_at <= %(at)s AND (ended_at IS NULL OR ended_at > %(at)s) AND expires_at > %(at)s
 ORDER BY id DESC
 LIMIT %(limit)s

-- name: by_application_key
-- Also a tombstone: what was forgotten is not recorded again.
SELECT * FROM memwarden.memory
 WHERE tenant_id = %(tenant_id)s AND user_id = %(user_id)s AND application_key = %(application_key)s

-- name: nearest
-- The free-text records nearest to a sentence, for finding what says the same or the opposite.
SELECT *, CASE WHEN embedding_model = %(embedding_model)s
               THEN 1 - (embedding <=> %(embedding)s::halfvec) END AS similarity
  FROM memwarden.memory
 WHERE tenant_id = %(tenant_id)s AND user_id = %(user_id)s
   AND status = 'active' AND expires_at > %(now)s AND key IS NULL AND type <> 'episode'
 ORDER BY similarity DESC NULLS LAST, id DESC
 LIMIT %(limit)s

-- name: anything_since
SELECT EXISTS (SELECT FROM memwarden.memory
                WHERE tenant_id = %(tenant_id)s AND user_id = %(user_id)s
                  AND status = 'active' AND key IS NULL AND type <> 'episode' AND recorded_at > %(since)s) AS found

-- name: free_texts
-- One page of the free-text records, in the order they were written, without their vectors.
SELECT id, type, content, purpose, recorded_at
  FROM memwarden.memory
 WHERE tenant_id = %(tenant_id)s AND user_id = %(user_id)s
   AND status = 'active' AND expires_at > %(now)s AND key IS NULL AND type <> 'episode'
   AND (recorded_at, id) > (%(after)s, %(after_id)s) AND recorded_at <= %(now)s
 ORDER BY recorded_at, id
 LIMIT %(limit)s

-- name: similarities
-- How near the vectors of pairs of records are, null where one of another model is among them.
SELECT newer.id AS newer, older.id AS older,
       CASE WHEN newer.embedding_model = %(embedding_model)s AND older.embedding_model = %(embedding_model)s
            THEN 1 - (newer.embedding <=> older.embedding) END AS similarity
  FROM unnest(%(newer)s::text[], %(older)s::text[]) WITH ORDINALITY AS pair(newer, older, place),
       -- Bounded, so that each is looked up by its id: the planner knows of no user how much they have.
       LATERAL (SELECT id, embedding, embedding_model FROM memwarden.memory
                 WHERE tenant_id = %(tenant_id)s AND user_id = %(user_id)s AND id = pair.newer AND status = 'active'
                 LIMIT 1) AS newer,
       LATERAL (SELECT id, embedding, embedding_model FROM memwarden.memory
                 WHERE tenant_id = %(tenant_id)s AND user_id = %(user_id)s AND id = pair.older AND status = 'active'
                 LIMIT 1) AS older
 ORDER BY pair.place

-- name: absorb
-- A record takes over the date, the places and the longer life of one that said the same.
UPDATE memwarden.memory
   SET created_at = %(created_at)s, evidence = %(evidence)s, expires_at = %(expires_at)s
 WHERE tenant_id = %(tenant_id)s AND user_id = %(user_id)s AND id = %(id)s AND status = 'active'

-- name: purge_expired
-- Gone for good: what expired, whatever became of it before. A held subject keeps it, unseen.
DELETE FROM memwarden.memory
 WHERE tenant_id = %(tenant_id)s AND user_id = %(user_id)s
   -- As an array they are looked for once; joined, once for each row, as the planner knows of no user how much they have.
   AND id = ANY (ARRAY(SELECT id FROM memwarden.memory
                        WHERE tenant_id = %(tenant_id)s AND user_id = %(user_id)s AND expires_at <= %(now)s
                        ORDER BY id LIMIT %(limit)s))
RETURNING id, status

-- name: history
-- Every version that led to one record, newest first; superseded ones are shown to the user, never recalled.
WITH RECURSIVE chain AS (
    SELECT %(id)s::text COLLATE "C" AS id
    UNION
    SELECT older.id FROM memwarden.memory older JOIN chain ON older.superseded_by = chain.id
     WHERE older.tenant_id = %(tenant_id)s AND older.user_id = %(user_id)s
)
SELECT m.* FROM memwarden.memory m JOIN chain USING (id)
 WHERE m.tenant_id = %(tenant_id)s AND m.user_id = %(user_id)s AND m.status <> 'deleted'
   AND (%(now)s::timestamptz IS NULL OR m.expires_at > %(now)s)
 ORDER BY m.id DESC

-- name: forget
-- The record and every older version of it become tombstones that hold nothing of what was said.
WITH RECURSIVE chain AS (
    SELECT id FROM memwarden.memory
     WHERE tenant_id = %(tenant_id)s AND user_id = %(user_id)s
       AND id = %(id)s AND status = 'active' AND expires_at > %(now)s
    UNION
    SELECT older.id FROM memwarden.memory older JOIN chain ON older.superseded_by = chain.id
     WHERE older.tenant_id = %(tenant_id)s AND older.user_id = %(user_id)s
)
UPDATE memwarden.memory m
   SET status = 'deleted', content = '', key = NULL, details = '{}', evidence = '{}',
       embedding = NULL, embedding_model = NULL, search = ''::tsvector, updated_at = %(now)s,
       ended_at = coalesce(ended_at, %(now)s)
  FROM chain
 WHERE m.tenant_id = %(tenant_id)s AND m.user_id = %(user_id)s AND m.id = chain.id AND m.status <> 'deleted'
RETURNING m.id

-- name: of_purpose
SELECT * FROM memwarden.memory
 WHERE tenant_id = %(tenant_id)s AND user_id = %(user_id)s AND status <> 'deleted'
   AND (%(purpose)s::text IS NULL OR %(purpose)s = ANY (string_to_array(purpose, '; ')))

-- name: forget_purpose
-- Every record kept for one purpose, or every record there is, becomes a tombstone that holds nothing of what was said.
UPDATE memwarden.memory
   SET status = 'deleted', content = '', key = NULL, details = '{}', evidence = '{}',
       embedding = NULL, embedding_model = NULL, search = ''::tsvector, updated_at = %(now)s,
       ended_at = coalesce(ended_at, %(now)s)
 WHERE tenant_id = %(tenant_id)s AND user_id = %(user_id)s AND status <> 'deleted'
   AND (%(purpose)s::text IS NULL OR %(purpose)s = ANY (string_to_array(purpose, '; ')))
RETURNING id

-- name: touch
-- What recall returned was used; written later and in one batch, so that no read waits for it.
UPDATE memwarden.memory AS memory
   SET last_used_at = greatest(last_used_at, %(at)s), expires_at = greatest(memory.expires_at, used.expires_at)
  FROM (SELECT unnest(%(ids)s::text[]) AS id, unnest(%(expiries)s::timestamptz[]) AS expires_at) AS used
 WHERE tenant_id = %(tenant_id)s AND user_id = %(user_id)s AND memory.id = used.id
   -- A use does not bring back what has lapsed before it.
   AND status = 'active' AND memory.expires_at > %(at)s

-- name: embedded_by_another_model
SELECT id, content FROM memwarden.memory
 WHERE tenant_id = %(tenant_id)s AND user_id = %(user_id)s AND status = 'active'
   AND embedding_model IS DISTINCT FROM %(embedding_model)s
 ORDER BY id
 LIMIT %(limit)s

-- name: set_embedding
UPDATE memwarden.memory
   SET embedding = %(embedding)s::halfvec, embedding_model = %(embedding_model)s
 WHERE tenant_id = %(tenant_id)s AND user_id = %(user_id)s AND id = %(id)s AND status = 'active'

-- name: recall
-- The core profile and the best of three searches over this user's rows, in one pass and one round trip:
-- exact cosine distance, the share of the question's words (weighted by how rare they are among these rows),
-- and the share of its character trigrams (names, typing errors, romanised scripts). Ranking is done by the caller.
-- JSON is taken apart here, since reading it is what costs the client most.
WITH mine AS MATERIALIZED (
    SELECT search, id, type, key, content, details, source, status, purpose, evidence, created_at, updated_at,
           last_used_at, expires_at, superseded_by, embedding_model,
           CASE WHEN embedding_model = %(embedding_model)s
                THEN embedding <=> %(embedding)s::halfvec END AS distance,
           -- For lexemes without positions ts_rank is 0.1 * 6 / pi^2 times the share of the query that was found.
           ts_rank(search, %(grams)s::tsquery) * (pi() ^ 2 / 0.6) AS trigrams
      FROM memwarden.memory,
           memwarden.standing(%(tenant_id)s, %(user_id)s, %(conversation_id)s) AS standing
     WHERE tenant_id = %(tenant_id)s AND user_id = %(user_id)s
       AND status = 'active' AND expires_at > %(now)s
       -- Only what its owner lets be used.
       AND NOT standing.off AND NOT string_to_array(purpose, '; ') && standing.withdrawn
       AND (NOT %(consent_required)s OR string_to_array(purpose, '; ') <@ standing.granted)
), hit AS (
    SELECT mine.id,
           ln(1 + (SELECT count(*) FROM mine)::float8 / count(*) OVER (PARTITION BY term.place)) AS rarity
      FROM mine, unnest(%(terms)s::tsquery[]) WITH ORDINALITY AS term(query, place)
     WHERE mine.search @@ term.query
), worded AS (
    SELECT id, sum(rarity) / (cardinality(%(terms)s::text[]) * ln(1 + (SELECT count(*) FROM mine))) AS words
      FROM hit GROUP BY id
)
SELECT id, type, key, content, nullif(details, '{}') AS details, source, status, purpose,
       evidence ->> 'conversation_id' AS conversation_id, evidence ->> 'message_id' AS message_id,
       created_at, updated_at, last_used_at, expires_at, superseded_by, embedding_model,
       distance, coalesce(words, 0) AS words, trigrams,
       (SELECT count(*) FROM mine WHERE embedding_model <> %(embedding_model)s) AS other_models
  FROM mine LEFT JOIN worded USING (id)
 WHERE key IS NOT NULL
    OR id IN (SELECT id FROM mine ORDER BY distance, id DESC LIMIT %(depth)s)
    OR id IN (SELECT id FROM worded ORDER BY words DESC, id DESC LIMIT %(depth)s)
    OR id IN (SELECT id FROM mine WHERE trigrams > 0 ORDER BY trigrams DESC, id DESC LIMIT %(depth)s)

-- name: profile
-- The core profile alone: the slots that are set, and that their owner lets be used.
SELECT memory.* FROM memwarden.memory,
       memwarden.standing(%(tenant_id)s, %(user_id)s, %(conversation_id)s) AS standing
 WHERE tenant_id = %(tenant_id)s AND user_id = %(user_id)s
   AND status = 'active' AND expires_at > %(now)s AND key IS NOT NULL
   AND NOT standing.off AND NOT string_to_array(purpose, '; ') && standing.withdrawn
   AND (NOT %(consent_required)s OR string_to_array(purpose, '; ') <@ standing.granted)
 ORDER BY key
