-- name: users_to_purge
SELECT * FROM memwarden.users_to_purge(%(now)s, %(idle_before)s, %(limit)s)

-- name: users_to_consolidate
SELECT * FROM memwarden.users_to_consolidate(%(before)s, %(embedding_model)s, %(limit)s)

-- name: threads_to_review
SELECT * FROM memwarden.threads_to_review(%(idle_before)s, %(limit)s)

-- name: erasures_to_finish
SELECT * FROM memwarden.erasures_to_finish(%(limit)s)

-- name: tenant_erasures_to_finish
SELECT * FROM memwarden.tenant_erasures_to_finish(%(limit)s)

-- name: conversations_to_remove
SELECT * FROM memwarden.conversations_to_remove(%(now)s, %(limit)s)

-- name: conversations_to_title
SELECT * FROM memwarden.conversations_to_title(%(now)s, %(limit)s)
