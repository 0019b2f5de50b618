-- One run of a thread at a time. Whoever runs holds the thread until run_until, by a token unlike any other, and renews it.
ALTER TABLE memwarden.thread
    ADD COLUMN run_token text,
    ADD COLUMN run_until timestamptz,
    -- A thread that begins again under an old id is never taken for the one that was deleted.
    ALTER COLUMN generation SET DEFAULT (extract(epoch FROM clock_timestamp()) * 1000000)::bigint;

DROP FUNCTION memwarden.turn_as_expected(text, text, text, timestamptz, bigint, bigint, text);

-- The writer's turn, where it knows what it will find: the thread's parts, its generation and its fence, and the latest
-- checkpoint of the graph itself, if its run goes on from there. Anything else is an error, which undoes what was sent along.
CREATE FUNCTION memwarden.turn_as_expected(the_tenant text, the_user text, the_thread text, the_time timestamptz,
                                           the_parts bigint, the_generation bigint, the_fence text,
                                           follows boolean, the_head text) RETURNS void
LANGUAGE plpgsql
AS $$
BEGIN
    UPDATE memwarden.thread
       SET last_active_at = greatest(last_active_at, the_time), ended_at = NULL
     WHERE tenant_id = the_tenant AND user_id = the_user AND thread_id = the_thread
       AND parts = the_parts AND generation = the_generation;
    IF NOT FOUND OR memwarden.fence(the_tenant, the_user, the_thread) IS DISTINCT FROM the_fence THEN
        RAISE EXCEPTION 'the thread is not as expected' USING ERRCODE = 'MW001';
    END IF;
    IF follows AND (SELECT max(id) FROM memwarden.checkpoint
                     WHERE tenant_id = the_tenant AND user_id = the_user AND thread_id = the_thread AND ns = '')
                   IS DISTINCT FROM the_head THEN
        RAISE EXCEPTION 'another run went on with the thread' USING ERRCODE = 'MW001';
    END IF;
END
$$;
