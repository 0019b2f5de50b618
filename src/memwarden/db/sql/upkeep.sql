-- name: get
SELECT * FROM memwarden.upkeep WHERE tenant_id = %(tenant_id)s AND user_id = %(user_id)s

-- name: done
INSERT INTO memwarden.upkeep (tenant_id, user_id, consolidated_at, embedding_model)
VALUES (%(tenant_id)s, %(user_id)s, %(at)s, %(embedding_model)s)
ON CONFLICT (tenant_id, user_id)
DO UPDATE SET consolidated_at = excluded.consolidated_at, embedding_model = excluded.embedding_model
