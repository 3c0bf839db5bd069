-- When each periodic task ran last, so that a stopped scheduler is seen.
create table console.periodic_tasks (
  name text primary key,
  every_ms integer not null,
  last_run_at timestamptz not null,
  last_error text,
  last_error_at timestamptz
);

-- What each channel takes on disk, measured by a periodic task: counting whole tables for a page would be too slow (W40).
create table console.channel_storage (
  channel_pk integer primary key references telemetry.channel on delete cascade,
  bytes bigint not null,
  measured_at timestamptz not null default now()
);

-- What graphile-worker knows a job by, so that a failed one can be queued again.
alter table console.jobs add column task text;
create index job_failed on console.jobs (finished_at desc) where status = 4;
