-- When commands are sent by themselves (A3, iot-behaviour 3.6 and 3.7).
create table console.command_schedules (
  id integer primary key generated always as identity,
  command_id integer not null references console.commands on delete cascade,
  type text not null check (type in ('o', 'r', 'e')),
  name text not null,
  timezone text not null,
  schedule text,
  -- Of events.
  channel_pk integer references telemetry.channel on delete cascade,
  device_pk integer references telemetry.device on delete cascade,
  attribute text,
  operator text,
  value jsonb,
  condition jsonb,
  hold_seconds integer not null default 0,
  clear_value double precision,
  cooldown_seconds integer not null default 0,
  state text check (state in ('armed', 'active', 'unknown')),
  -- The newest moment of the device's own time that was looked at.
  evaluated_at timestamptz,
  -- The condition has to hold until then.
  hold_until timestamptz,
  suspended_at timestamptz,
  suspended_reason text,
  next_run_at timestamptz,
  last_run_at timestamptz,
  user_id integer references console.users on delete set null,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now()
);
create index command_schedule_command on console.command_schedules (command_id);
create index command_schedule_due on console.command_schedules (next_run_at) where next_run_at is not null and suspended_at is null;
create index command_schedule_hold on console.command_schedules (hold_until) where hold_until is not null;
create index command_schedule_device on console.command_schedules (device_pk) where device_pk is not null;

-- One row per firing: any number of processes make each of them once.
create table console.command_schedule_runs (
  id integer primary key generated always as identity,
  schedule_id integer not null references console.command_schedules on delete cascade,
  due_at timestamptz not null,
  uplink_id text,
  status text not null check (status in ('fired', 'late', 'missed')),
  reason text,
  execution_id integer references console.command_executions on delete set null,
  created_at timestamptz not null default clock_timestamp()
);
create unique index command_schedule_run_time on console.command_schedule_runs (schedule_id, due_at) where uplink_id is null;
create unique index command_schedule_run_uplink on console.command_schedule_runs (schedule_id, uplink_id) where uplink_id is not null;
create index command_schedule_run_newest on console.command_schedule_runs (schedule_id, created_at);

-- Whoever keeps schedules of events or open conditions in memory reads them again.
create function console.command_schedule_changed() returns trigger language plpgsql as $$
begin
  perform pg_notify('telltale_command_schedules', coalesce(new.id, old.id)::text);
  return null;
end $$;
create trigger command_schedule_changed after insert or delete or update of type, device_pk, condition, clear_value, suspended_at
on console.command_schedules for each row execute function console.command_schedule_changed();
