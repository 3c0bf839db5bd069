-- What devices report. Tables live in `telemetry` without secrets; people read the views of schema `app` and nothing else
-- (design 8). Empty until devices report; partitions are made by the keeper of the partitions.

create schema telemetry;
create schema app;

create table telemetry.channel (
  id integer primary key generated always as identity,
  channel_id text not null,
  channel_name text not null,
  kind text not null check (kind in ('mqtt', 'http', 'tts', 'chirpstack')),
  created_at timestamptz not null default now(),
  deleted_at timestamptz
);
create unique index channel_id_alive on telemetry.channel (channel_id) where deleted_at is null;

create table telemetry.device (
  id integer primary key generated always as identity,
  channel_pk integer not null references telemetry.channel on delete cascade,
  device_id text not null,
  device_name text not null,
  dev_eui text,
  latitude double precision,
  longitude double precision,
  last_seen_at timestamptz,
  created_at timestamptz not null default now(),
  deleted_at timestamptz
);
create unique index device_id_alive on telemetry.device (channel_pk, device_id) where deleted_at is null;

create table telemetry.attribute (
  id integer primary key generated always as identity,
  channel_pk integer not null references telemetry.channel on delete cascade,
  name text not null,
  unit text,
  kind_seen "char",
  first_seen timestamptz not null,
  last_seen timestamptz not null,
  unique (channel_pk, name)
);

create table telemetry.device_attribute (
  device_pk integer not null references telemetry.device on delete cascade,
  attribute_id integer not null references telemetry.attribute on delete cascade,
  first_seen timestamptz not null,
  last_seen timestamptz not null,
  last_kind "char" not null,
  primary key (device_pk, attribute_id)
);

create table telemetry.uplink (
  uplink_id text not null,
  device_pk integer not null,
  received_at timestamptz not null,
  time timestamptz not null,
  source text not null,
  fport smallint,
  fcnt bigint,
  encoding text not null,
  raw bytea,
  meta jsonb,
  status text not null,
  warnings text[]
) partition by range (received_at);

create table telemetry.metric_point (
  time timestamptz not null,
  device_pk integer not null,
  attribute_id integer not null,
  value double precision,
  value_text text,
  kind "char" not null,
  uplink_id text
) partition by range (time);

create table telemetry.metric_last (
  device_pk integer not null,
  attribute_id integer not null,
  time timestamptz not null,
  value double precision,
  value_text text,
  kind "char" not null,
  uplink_id text,
  primary key (device_pk, attribute_id)
);

create view app.channel as
select channel_id, channel_name, kind, created_at from telemetry.channel where deleted_at is null;

create view app.device as
select channel.channel_id, channel.channel_name, device_id, device_name, dev_eui, latitude, longitude, last_seen_at, device.created_at
from telemetry.device join telemetry.channel on channel.id = device.channel_pk
where device.deleted_at is null and channel.deleted_at is null;

create view app.metric as
select metric_point.time, channel.channel_id, channel.channel_name, device.device_id, device.device_name, attribute.name as attribute,
  metric_point.value, metric_point.value_text, metric_point.kind, metric_point.uplink_id
from telemetry.metric_point
join telemetry.device on device.id = metric_point.device_pk
join telemetry.channel on channel.id = device.channel_pk
join telemetry.attribute on attribute.id = metric_point.attribute_id;

create view app.metric_last as
select metric_last.time, channel.channel_id, channel.channel_name, device.device_id, device.device_name, attribute.name as attribute,
  metric_last.value, metric_last.value_text, metric_last.kind, metric_last.uplink_id
from telemetry.metric_last
join telemetry.device on device.id = metric_last.device_pk
join telemetry.channel on channel.id = device.channel_pk
join telemetry.attribute on attribute.id = metric_last.attribute_id;

create view app.uplink as
select uplink.uplink_id, channel.channel_id, channel.channel_name, device.device_id, device.device_name, uplink.received_at, uplink.time,
  uplink.source, uplink.fport, uplink.fcnt, uplink.encoding, uplink.raw, uplink.meta, uplink.status, uplink.warnings
from telemetry.uplink
join telemetry.device on device.id = uplink.device_pk
join telemetry.channel on channel.id = device.channel_pk;
