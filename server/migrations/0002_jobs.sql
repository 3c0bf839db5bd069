-- Work in the background: who does it (process), what is asked (job), what only one may do at a time (lease).

create table console.processes (
  id uuid primary key,
  role text not null,
  hostname text not null,
  pid integer not null,
  queues text[] not null default '{}',
  state text not null default 'started' check (state in ('started', 'busy', 'idle', 'suspended')),
  current_job text,
  successful_jobs integer not null default 0,
  failed_jobs integer not null default 0,
  total_working_ms bigint not null default 0,
  started_at timestamptz not null default now(),
  heartbeat_at timestamptz not null default now()
);

create table console.jobs (
  id uuid primary key,
  name text not null,
  queue text not null,
  -- Q4: 1 waiting, 2 processing, 3 done, 4 failed
  status smallint not null default 1 check (status between 1 and 4),
  payload jsonb not null,
  error jsonb,
  result jsonb,
  user_id integer references console.users on delete set null,
  meta jsonb not null default '{}',
  attempts integer not null default 0,
  max_attempts integer not null,
  process_id uuid,
  cancel_requested boolean not null default false,
  enqueued_at timestamptz not null default now(),
  started_at timestamptz,
  finished_at timestamptz
);
create index job_running on console.jobs (process_id) where status = 2;
create index job_waiting on console.jobs (queue, enqueued_at) where status = 1;
create index job_finished on console.jobs (finished_at) where status in (3, 4);

-- A renewed row, not an advisory lock: those could be taken by anybody who can run a query.
create table console.leases (
  name text primary key,
  holder uuid not null,
  until timestamptz not null
);
