-- Alerts on queries and devices, who is told, and every evaluation with its consequence.

create table console.alerts (
  id integer primary key generated always as identity,
  org_id integer not null references console.organizations,
  user_id integer not null references console.users,
  kind text not null check (kind in ('query', 'device', 'silence')),
  query_id integer references console.queries on delete cascade,
  channel_pk integer references telemetry.channel on delete cascade,
  name text not null check (length(name) <= 255),
  options jsonb not null,
  rearm integer check (rearm >= 0),
  state text not null default 'unknown' check (state in ('unknown', 'ok', 'triggered')),
  -- Why the state is unknown, when a run failed or was paused; and the state before that, which the next change is measured by.
  unknown_reason text,
  failed_from text,
  last_triggered_at timestamptz,
  -- Results older than this one are not evaluated any more.
  last_result_id integer,
  -- When its condition was last changed: what happened before does not count.
  armed_at timestamptz not null default now(),
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  check ((kind = 'query') = (query_id is not null)),
  check ((kind <> 'query') = (channel_pk is not null))
);
create index alert_query on console.alerts (query_id);
create index alert_channel on console.alerts (channel_pk);

-- Only devices that an alert has ever said something about: 1,000 alerts on 10,000 devices are not ten million rows.
create table console.alert_devices (
  alert_id integer not null references console.alerts on delete cascade,
  device_pk integer not null references telemetry.device on delete cascade,
  state text not null default 'unknown' check (state in ('unknown', 'ok', 'triggered')),
  value jsonb,
  value_at timestamptz,
  since timestamptz,
  last_triggered_at timestamptz,
  -- The condition has held since then and is to hold until `due_at`.
  pending_since timestamptz,
  due_at timestamptz,
  primary key (alert_id, device_pk)
);
create index alert_device_state on console.alert_devices (alert_id, state);
create index alert_device on console.alert_devices (device_pk);
create index alert_device_due on console.alert_devices (due_at) where due_at is not null;

create table console.alert_subscriptions (
  id integer primary key generated always as identity,
  alert_id integer not null references console.alerts on delete cascade,
  user_id integer not null references console.users on delete cascade,
  -- Without one it is the subscriber's own e-mail address.
  destination_id integer references console.destinations on delete cascade,
  created_at timestamptz not null default now()
);
create unique index alert_subscription_destination on console.alert_subscriptions (alert_id, destination_id) where destination_id is not null;
create unique index alert_subscription_own on console.alert_subscriptions (alert_id, user_id) where destination_id is null;

create table console.alert_evaluations (
  id bigint primary key generated always as identity,
  alert_id integer not null references console.alerts on delete cascade,
  device_pk integer references telemetry.device on delete set null,
  evaluated_at timestamptz not null default now(),
  value jsonb,
  threshold jsonb,
  state text not null,
  previous_state text not null,
  notified boolean not null,
  outcome text not null,
  reason text not null
);
create index alert_evaluation_newest on console.alert_evaluations (alert_id, id desc);
create index alert_evaluation_age on console.alert_evaluations (evaluated_at);

alter table console.notice_deliveries add foreign key (alert_id) references console.alerts on delete set null;

-- Whoever keeps alerts on devices in memory reads them again (a hint: the tables are the truth).
create function console.alert_changed() returns trigger language plpgsql as $$
begin
  if (case when tg_op = 'DELETE' then old.kind else new.kind end) <> 'query' then
    perform pg_notify('telltale_alerts', (case when tg_op = 'DELETE' then old.id else new.id end)::text);
  end if;
  return null;
end $$;
create trigger alert_made after insert or delete on console.alerts for each row execute function console.alert_changed();
create trigger alert_saved after update on console.alerts for each row
when (old.options is distinct from new.options or old.rearm is distinct from new.rearm or old.armed_at is distinct from new.armed_at)
execute function console.alert_changed();
