-- Read from the tables of LangGraph's own saver, which threads are imported from.

-- name: threads
SELECT DISTINCT thread_id FROM checkpoints ORDER BY thread_id

-- name: checkpoints
SELECT checkpoint_ns, checkpoint_id, parent_checkpoint_id FROM checkpoints WHERE thread_id = %(thread_id)s

-- name: task_paths
SELECT checkpoint_ns, checkpoint_id, task_id, max(task_path) AS task_path
  FROM checkpoint_writes
 WHERE thread_id = %(thread_id)s
 GROUP BY checkpoint_ns, checkpoint_id, task_id
