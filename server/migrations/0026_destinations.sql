-- Whom alerts and commands tell, and every notice on its way.

create table console.destinations (
  id integer primary key generated always as identity,
  org_id integer not null references console.organizations,
  user_id integer references console.users on delete set null,
  name text not null check (length(name) <= 255),
  type text not null,
  -- AES-256-GCM under a derived key: tokens and addresses never lie open.
  options_sealed bytea not null,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now()
);
create unique index destination_name on console.destinations (org_id, lower(name));

-- One row per notice and target, written in the transaction of what it tells about (W22).
create table console.notice_deliveries (
  id bigint primary key generated always as identity,
  -- The same for all attempts, and told to the target: (alert, evaluation, target).
  key text not null unique,
  -- One of the two; without either it has been deleted since.
  destination_id integer references console.destinations on delete set null,
  user_id integer references console.users on delete set null,
  target_id integer not null,
  name text not null,
  alert_id integer,
  command_id integer,
  device_id text,
  subject text not null,
  notice jsonb not null,
  status text not null default 'waiting' check (status in ('waiting', 'sent', 'failed', 'gave_up')),
  attempts integer not null default 0,
  last_error text,
  created_at timestamptz not null default now(),
  sent_at timestamptz,
  next_attempt_at timestamptz default now()
);
create index notice_delivery_alert on console.notice_deliveries (alert_id, id desc);
create index notice_delivery_destination on console.notice_deliveries (destination_id, id desc);
create index notice_delivery_waiting on console.notice_deliveries (next_attempt_at) where status = 'waiting';
create index notice_delivery_age on console.notice_deliveries (created_at);
