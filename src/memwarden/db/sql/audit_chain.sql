-- name: heads
-- Where each tenant's chain says it ends.
SELECT tenant_id, place, hash FROM memwarden.audit_head
 WHERE %(tenant_id)s::text IS NULL OR tenant_id = %(tenant_id)s
 ORDER BY tenant_id

-- name: broken
-- Every place of a tenant's chain where something is wrong: a row that is missing before it, or one that does not hash
-- to what it says. Then the end: rows that were cut off, or added behind it.
WITH chain AS (
    SELECT event.place, event.hash, event.id,
           lag(event.place, 1, 0::bigint) OVER (ORDER BY event.place) AS place_before,
           memwarden.audit_hash(event, lag(event.hash, 1, ''::bytea) OVER (ORDER BY event.place)) AS hash_due
      FROM memwarden.audit_event AS event
     WHERE event.tenant_id = %(tenant_id)s AND event.place IS NOT NULL
)
SELECT place, id, CASE WHEN place_before <> place - 1 THEN 'missing' ELSE 'altered' END AS fault
  FROM chain
 WHERE place_before <> place - 1 OR hash_due <> hash
UNION ALL
SELECT head.place, NULL, CASE WHEN coalesce(last.place, 0) < head.place THEN 'cut off' ELSE 'altered' END
  FROM memwarden.audit_head AS head
  LEFT JOIN LATERAL (SELECT chain.place, chain.hash FROM chain ORDER BY place DESC LIMIT 1) AS last ON true
 WHERE head.tenant_id = %(tenant_id)s
   AND (coalesce(last.place, 0) <> head.place OR coalesce(last.hash, '') <> head.hash)
 ORDER BY 1

-- name: counted
SELECT count(place) AS chained, count(*) - count(place) AS unchained
  FROM memwarden.audit_event WHERE tenant_id = %(tenant_id)s
