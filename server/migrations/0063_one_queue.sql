-- console.jobs is the one queue: when a job is due, and in which lanes it needs a place.
alter table console.jobs add column run_at timestamptz not null default now();
alter table console.jobs add column lanes text[] not null default '{}';
alter table console.jobs drop column task;
update console.jobs set run_at = enqueued_at where status = 1;
drop index console.job_waiting;
create index job_due on console.jobs (queue, run_at) where status = 1;

-- Earlier versions kept an entry for each waiting job in the schema graphile_worker. The number of attempts stands in console.jobs already:
-- the entry counts how often it was handed out. An entry whose job does not wait any more would do nothing.
do $$
begin
  if to_regclass('graphile_worker._private_jobs') is null then
    return;
  end if;
  update console.jobs set run_at = entry.run_at, lanes = array(select jsonb_object_keys(entry.flags))
  from graphile_worker._private_jobs as entry
  where entry.key = jobs.id::text and jobs.status = 1;
  delete from graphile_worker._private_jobs where payload ->> 'job_id' is not null;
  -- Entries without a job of ours belong to another program, which keeps its schema.
  if not exists (select from graphile_worker._private_jobs) then
    drop schema graphile_worker cascade;
  end if;
end $$;
