-- Queries that refresh themselves.

alter table console.queries
  -- The slot that was run last; the next one is counted from it.
  add column last_slot_at timestamptz,
  -- W40: due when this is past, so the scan reads what is due and nothing else.
  add column next_run_at timestamptz,
  -- Set while a scheduled run has no outcome: no second one starts, and one that got lost is noticed.
  add column scheduled_job_id uuid;
create index query_due on console.queries (next_run_at) where next_run_at is not null;
create index query_scheduled_job on console.queries (scheduled_job_id) where scheduled_job_id is not null;
update console.queries set next_run_at = now() where schedule is not null and not is_archived;

-- Failures of scheduled runs until their owner has been told.
create table console.query_failures (
  id bigint primary key generated always as identity,
  query_id integer not null references console.queries on delete cascade,
  message text not null,
  schedule_failures integer not null,
  failed_at timestamptz not null default now()
);

-- What the last scan did, for the screens of administrators.
create table console.schedule_scan (
  id boolean primary key default true check (id),
  started_at timestamptz not null,
  last_refresh_at timestamptz not null,
  query_ids integer[] not null
);
