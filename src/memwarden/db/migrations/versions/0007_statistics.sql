-- ANALYZE copies samples of every column into pg_statistic, where they outlive the rows: until the next ANALYZE, and for good
-- in a table that has become empty. No statement of ours chooses rows by these columns across users, so that the planner
-- does without. Giving a column its own type again drops what was sampled before.

DROP TRIGGER withhold_emptied ON memwarden.memory;
DROP TRIGGER withhold_emptied ON memwarden.proposal;

ALTER TABLE memwarden.memory
    ALTER COLUMN content TYPE text, ALTER COLUMN details TYPE jsonb, ALTER COLUMN evidence TYPE jsonb,
    ALTER COLUMN search TYPE tsvector, ALTER COLUMN embedding TYPE halfvec,
    ALTER COLUMN content SET STATISTICS 0, ALTER COLUMN details SET STATISTICS 0, ALTER COLUMN evidence SET STATISTICS 0,
    ALTER COLUMN search SET STATISTICS 0, ALTER COLUMN embedding SET STATISTICS 0;
ALTER TABLE memwarden.proposal
    ALTER COLUMN content TYPE text, ALTER COLUMN evidence TYPE jsonb,
    ALTER COLUMN content SET STATISTICS 0, ALTER COLUMN evidence SET STATISTICS 0;
ALTER TABLE memwarden.withheld ALTER COLUMN content TYPE jsonb, ALTER COLUMN content SET STATISTICS 0;
ALTER TABLE memwarden.checkpoints
    ALTER COLUMN checkpoint TYPE jsonb, ALTER COLUMN metadata TYPE jsonb,
    ALTER COLUMN checkpoint SET STATISTICS 0, ALTER COLUMN metadata SET STATISTICS 0;
ALTER TABLE memwarden.checkpoint_blobs ALTER COLUMN blob TYPE bytea, ALTER COLUMN blob SET STATISTICS 0;
ALTER TABLE memwarden.checkpoint_writes ALTER COLUMN blob TYPE bytea, ALTER COLUMN blob SET STATISTICS 0;
-- The hash of a sentence, which an index is over.
ALTER INDEX memwarden.memory_active_sentence ALTER COLUMN 3 SET STATISTICS 0;
ALTER INDEX memwarden.proposal_pending_sentence ALTER COLUMN 3 SET STATISTICS 0;

CREATE TRIGGER withhold_emptied AFTER UPDATE ON memwarden.memory
    FOR EACH ROW WHEN (NEW.content = '' AND OLD.content <> '') EXECUTE FUNCTION memwarden.withhold_emptied();
CREATE TRIGGER withhold_emptied AFTER UPDATE ON memwarden.proposal
    FOR EACH ROW WHEN (NEW.status = 'declined' AND OLD.content <> '') EXECUTE FUNCTION memwarden.withhold_emptied();
