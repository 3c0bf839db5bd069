-- Channels and devices as the broker needs them, and how telemetry is kept. Secrets and settings live in `console`; what
-- people may read of the rest they read through schema `app` (design 8).

-- A channel's row in telemetry is what query text may see of it; this is the rest.
create table console.channel_settings (
  channel_pk integer primary key references telemetry.channel on delete cascade,
  org_id integer not null references console.organizations,
  -- Its devices are known but may not report (iot-behaviour 1.2: CONNACK 5, `device_disabled`).
  disabled_at timestamptz,
  -- 1.10: a gateway may name devices that do not exist yet.
  auto_create boolean not null default false,
  -- 1.3: firmware made for ThingsBoard works unchanged.
  thingsboard_topics boolean not null default false,
  -- 1.2: the optional key of a gateway that speaks for every device of the channel; all three or none.
  lookup_id text unique check (lookup_id ~ '^[A-Za-z0-9]{12}$'),
  key_hash bytea check (length(key_hash) = 32),
  key_sealed bytea,
  created_by integer references console.users on delete set null,
  updated_at timestamptz not null default now(),
  check (num_nulls(lookup_id, key_hash, key_sealed) in (0, 3))
);

-- 1.2: the first 12 characters find the key, the hash of the other 28 checks it, the sealed copy is shown to its owners.
create table console.device_keys (
  device_pk integer primary key references telemetry.device on delete cascade,
  lookup_id text not null unique check (lookup_id ~ '^[A-Za-z0-9]{12}$'),
  key_hash bytea not null check (length(key_hash) = 32),
  key_sealed bytea not null,
  disabled_at timestamptz,
  rotated_at timestamptz,
  updated_at timestamptz not null default now()
);

-- Whoever keeps channels, devices or keys in memory reads them again (a hint: the tables are the truth).
create function console.directory_changed() returns trigger language plpgsql as $$
declare
  changed jsonb := to_jsonb(case when tg_op = 'DELETE' then old else new end);
begin
  perform pg_notify('telltale_directory', case
    when tg_table_name = 'channel' then 'channel ' || (changed ->> 'id')
    when tg_table_name = 'device' then 'device ' || (changed ->> 'id')
    when tg_table_name = 'channel_settings' then 'channel ' || (changed ->> 'channel_pk')
    else 'device ' || (changed ->> 'device_pk') end);
  return null;
end $$;
create trigger channel_changed after insert or update or delete on telemetry.channel
for each row execute function console.directory_changed();
create trigger channel_settings_changed after insert or update or delete on console.channel_settings
for each row execute function console.directory_changed();
create trigger device_key_changed after insert or update or delete on console.device_keys
for each row execute function console.directory_changed();

drop view app.device, app.metric, app.metric_last, app.uplink;

-- What changes with every report lies apart from what people type, so that neither wakes up the other.
alter table telemetry.device drop column last_seen_at, drop column latitude, drop column longitude;
create trigger device_changed after insert or update or delete on telemetry.device
for each row execute function console.directory_changed();
create index device_newest on telemetry.device (channel_pk, created_at desc, id desc) where deleted_at is null;

-- 1.7: one row per device; `version` is compared and set, so that nobody overwrites what they have not seen.
create table telemetry.device_state (
  device_pk integer primary key references telemetry.device on delete cascade,
  online boolean not null default false,
  connected_sessions integer not null default 0,
  last_connect_at timestamptz,
  last_disconnect_at timestamptz,
  last_seen_at timestamptz,
  -- A device without a session counts as online for this long after its last report.
  online_seconds integer,
  latitude double precision check (latitude between -90 and 90),
  longitude double precision check (longitude between -180 and 180),
  -- What the device last said on its `state` topic.
  state jsonb,
  state_at timestamptz,
  version integer not null default 1
) with (fillfactor = 60);

-- Open connections by broker, so that a broker that died takes its sessions along.
create table console.mqtt_connections (
  process_id uuid not null,
  device_pk integer not null references telemetry.device on delete cascade,
  client_id text not null,
  connected_at timestamptz not null default now(),
  primary key (process_id, device_pk, client_id)
);
create index mqtt_connection_device on console.mqtt_connections (device_pk);

-- 1.7: of a session that is to be kept only its subscriptions are, for 30 days.
create table console.mqtt_sessions (
  client_id text primary key,
  subscriptions jsonb not null,
  updated_at timestamptz not null default now()
);

-- Brokers that are listening: where the console passes web sockets on to, and what /readyz asks.
create table console.brokers (
  process_id uuid primary key references console.processes on delete cascade,
  hostname text not null,
  address text,
  tls_address text,
  private_port integer not null
);

alter table telemetry.uplink
  add column first_time timestamptz,
  add column points integer not null default 0,
  add column errors text[],
  -- 1.9: what a repetition is recognized by; the payload itself is compared, too.
  add column message_id text,
  add column packet_id integer;
create index uplink_newest on telemetry.uplink (device_pk, received_at);
create index uplink_message on telemetry.uplink (device_pk, message_id) where message_id is not null;
alter table telemetry.metric_point add primary key (device_pk, attribute_id, time);

-- 1.10 b.
create table telemetry.uplink_rejected (
  uplink_id text primary key,
  channel_pk integer not null,
  device_pk integer,
  -- As the sender wrote it: there may be no such device.
  device_id text not null,
  time timestamptz not null,
  topic text not null,
  code text not null,
  message text not null,
  payload bytea not null,
  bytes integer not null
);
create index uplink_rejected_device on telemetry.uplink_rejected (device_pk, time desc);
create index uplink_rejected_age on telemetry.uplink_rejected (time);

-- One row per connection that writes uplinks, changed by each flush in its own transaction. A flush whose fate is unknown
-- because its connection broke is looked up here, and the figures are those of what was committed.
create table console.ingest_marks (
  writer uuid not null,
  slot smallint not null,
  seq bigint not null default 0,
  received bigint not null default 0,
  stored bigint not null default 0,
  duplicate bigint not null default 0,
  rejected bigint not null default 0,
  codes jsonb not null default '{}',
  -- Last values and the like have been written for everything up to here.
  settled_at timestamptz not null default now(),
  primary key (writer, slot)
) with (fillfactor = 50);
-- Writers that are gone, added up.
insert into console.ingest_marks (writer, slot) values ('00000000-0000-0000-0000-000000000000', 0);

create view app.device as
select channel.channel_id, channel.channel_name, device.device_id, device.device_name, device.dev_eui, state.latitude, state.longitude,
  coalesce(state.online, false) as online, state.last_seen_at, device.created_at
from telemetry.device
join telemetry.channel on channel.id = device.channel_pk
left join telemetry.device_state state on state.device_pk = device.id
where device.deleted_at is null and channel.deleted_at is null;

-- A device id that is used again does not inherit what its predecessor reported.
create view app.metric as
select point.time, channel.channel_id, channel.channel_name, device.device_id, device.device_name, attribute.name as attribute,
  point.value, point.value_text, point.kind, point.uplink_id
from telemetry.metric_point point
join telemetry.device on device.id = point.device_pk and device.deleted_at is null
join telemetry.channel on channel.id = device.channel_pk and channel.deleted_at is null
join telemetry.attribute on attribute.id = point.attribute_id;

create view app.metric_last as
select last.time, channel.channel_id, channel.channel_name, device.device_id, device.device_name, attribute.name as attribute,
  last.value, last.value_text, last.kind, last.uplink_id
from telemetry.metric_last last
join telemetry.device on device.id = last.device_pk and device.deleted_at is null
join telemetry.channel on channel.id = device.channel_pk and channel.deleted_at is null
join telemetry.attribute on attribute.id = last.attribute_id;

create view app.uplink as
select uplink.uplink_id, channel.channel_id, channel.channel_name, device.device_id, device.device_name, uplink.received_at, uplink.time,
  uplink.source, uplink.fport, uplink.fcnt, uplink.encoding, uplink.points, uplink.raw, uplink.meta, uplink.status, uplink.warnings,
  uplink.errors, uplink.message_id
from telemetry.uplink
join telemetry.device on device.id = uplink.device_pk and device.deleted_at is null
join telemetry.channel on channel.id = device.channel_pk and channel.deleted_at is null;

create view app.uplink_rejected as
select rejected.uplink_id, channel.channel_id, channel.channel_name, rejected.device_id, rejected.time, rejected.topic, rejected.code,
  rejected.message, rejected.payload, rejected.bytes
from telemetry.uplink_rejected rejected
join telemetry.channel on channel.id = rejected.channel_pk and channel.deleted_at is null
left join telemetry.device on device.id = rejected.device_pk
where rejected.device_pk is null or device.deleted_at is null;
