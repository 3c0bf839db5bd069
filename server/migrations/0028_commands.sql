-- Downlink commands (A3) and what became of them (iot-behaviour 3): command → execution (one per firing) → delivery (one per
-- device) → log.

create table console.commands (
  id integer primary key generated always as identity,
  org_id integer not null references console.organizations,
  name text not null,
  channel_pk integer not null references telemetry.channel on delete cascade,
  fport smallint not null check (fport between 0 and 223),
  mode text not null check (mode in ('push', 'replace')),
  confirm boolean not null,
  payload text not null,
  retry_enabled boolean not null,
  retry_count smallint not null check (retry_count between 0 and 10),
  -- {options: {op, column, value}}; null without a condition.
  retry_until jsonb,
  retry_wait_seconds integer,
  ttl_seconds integer not null,
  user_id integer references console.users on delete set null,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now()
);
create index command_channel on console.commands (channel_pk);

-- Its devices, in the order they were chosen.
create table console.command_devices (
  command_id integer not null references console.commands on delete cascade,
  device_pk integer not null references telemetry.device on delete cascade,
  place integer not null,
  primary key (command_id, device_pk)
);
create index command_device_device on console.command_devices (device_pk);

-- One firing, with everything that it sends: a command that is changed or deleted later changes nothing of it.
create table console.command_executions (
  id integer primary key generated always as identity,
  command_id integer references console.commands on delete set null,
  command_name text not null,
  channel_pk integer not null references telemetry.channel on delete cascade,
  source text not null check (source in ('manual', 'schedule', 'alert')),
  schedule_id integer,
  alert_id integer,
  user_id integer references console.users on delete set null,
  -- The same firing told twice makes one execution.
  dedupe_key text unique,
  due_at timestamptz not null,
  is_late boolean not null default false,
  mode text not null,
  fport smallint not null,
  confirm boolean not null,
  encoding text not null check (encoding in ('json', 'hex', 'base64', 'text')),
  bytes bytea not null,
  -- Of a payload that is a JSON object: the object, and whether `bytes` were made by the channel's encoder.
  object jsonb,
  is_encoded boolean not null default false,
  max_attempts smallint not null,
  retry_until jsonb,
  wait_seconds integer,
  devices integer not null,
  created_at timestamptz not null default clock_timestamp()
);
create index command_execution_newest on console.command_executions (command_id, id desc);
create index command_execution_age on console.command_executions (created_at);

-- One per device of an execution: our own durable queue.
create table console.command_deliveries (
  id integer primary key generated always as identity,
  execution_id integer not null references console.command_executions on delete cascade,
  command_id integer references console.commands on delete set null,
  channel_pk integer not null,
  device_pk integer not null references telemetry.device on delete cascade,
  -- 24 characters; with two of the attempt they are what a device knows it by.
  wire_id text not null unique,
  state text not null,
  stage text not null check (stage in ('ready', 'flying', 'network', 'answer', 'effect', 'done')),
  reason text,
  attempt smallint not null default 0,
  max_attempts smallint not null,
  confirm boolean not null,
  has_condition boolean not null,
  is_direct boolean not null,
  wait_seconds integer,
  created_at timestamptz not null default clock_timestamp(),
  expires_at timestamptz not null,
  -- When the stage is over by itself.
  next_at timestamptz,
  -- When an attempt was last handed over: the rate of a channel is counted by it.
  handed_at timestamptz,
  -- When the first attempt arrived.
  sent_at timestamptz,
  finished_at timestamptz,
  -- It ended while it stood in the network's queue, and is to be taken out of there.
  to_withdraw boolean not null default false
) with (fillfactor = 80);
create index command_delivery_execution on console.command_deliveries (execution_id);
create index command_delivery_command on console.command_deliveries (command_id, id desc);
create index command_delivery_device on console.command_deliveries (device_pk, id desc);
create index command_delivery_open on console.command_deliveries (device_pk, id) where stage <> 'done';
create index command_delivery_due on console.command_deliveries (next_at) where stage <> 'done' and next_at is not null;
create index command_delivery_expiry on console.command_deliveries (expires_at) where stage in ('ready', 'flying', 'network');
create index command_delivery_handed on console.command_deliveries (channel_pk, handed_at) where handed_at is not null;
create index command_delivery_withdraw on console.command_deliveries (id) where to_withdraw;
-- iot-behaviour 3.2: one command in flight per device of our own broker, whoever hands it over.
create unique index command_delivery_in_flight on console.command_deliveries (device_pk)
  where is_direct and stage in ('flying', 'answer');

create table console.command_delivery_log (
  id bigint primary key generated always as identity,
  delivery_id integer not null references console.command_deliveries on delete cascade,
  at timestamptz not null default clock_timestamp(),
  attempt smallint not null,
  state text not null,
  reason text,
  is_late boolean not null default false,
  raw jsonb
);
create index command_delivery_log_delivery on console.command_delivery_log (delivery_id, id);
