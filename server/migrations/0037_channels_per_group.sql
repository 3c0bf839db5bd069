-- Channels per group (design 8.1): a person sees the channels of all their groups.
alter table console.groups add column all_channels boolean not null default true;

create table console.group_channels (
  group_id integer not null references console.groups on delete cascade,
  channel_pk integer not null references telemetry.channel on delete cascade,
  created_at timestamptz not null default now(),
  primary key (group_id, channel_pk)
);
create index group_channel on console.group_channels (channel_pk);

-- Which channels the rows of a result were read from: null is all, none where it was not read from IoT data.
alter table console.query_results add column channel_pks integer[] default '{}';
update console.query_results set channel_pks = null where data_source_id in (select id from console.data_sources where type in ('telltale', 'results'));

-- What a session of the reader may see is told by a pass, set when it connects and signed with these secrets, which no reader can read. A change of
-- groups, members or channels makes passes that were given out before invalid.
create table console.reader_access (
  id boolean primary key default true check (id),
  version bigint not null default 1,
  inner_secret bytea not null,
  outer_secret bytea not null
);
insert into console.reader_access (inner_secret, outer_secret)
select sha256(convert_to(gen_random_uuid()::text || gen_random_uuid()::text || gen_random_uuid()::text, 'UTF8')),
  sha256(convert_to(gen_random_uuid()::text || gen_random_uuid()::text || gen_random_uuid()::text, 'UTF8'));

create function console.renew_reader_access() returns trigger language plpgsql as $$
begin
  update console.reader_access set version = version + 1;
  return null;
end $$;
create trigger channels_changed after insert or update or delete on console.group_channels for each statement execute function console.renew_reader_access();
create trigger members_changed after insert or update or delete on console.memberships for each statement execute function console.renew_reader_access();
create trigger groups_changed after update or delete on console.groups for each statement execute function console.renew_reader_access();

-- The signature of what a pass says: HMAC with two keys.
create function console.reader_signature(said text) returns text language sql stable parallel safe security definer set search_path = pg_catalog as $$
  select encode(sha256(outer_secret || sha256(inner_secret || convert_to(said, 'UTF8'))), 'hex') from console.reader_access
$$;
revoke execute on function console.reader_signature(text) from public;

-- The channels that this session may see: null is all. Nothing without a valid pass, whatever the text of a query does to the setting. The
-- application itself reads everything.
create function console.reader_channels() returns integer[] language plpgsql stable parallel safe security definer set search_path = pg_catalog as $$
declare
  pass text := coalesce(current_setting('telltale.pass', true), '');
  parts text[] := string_to_array(pass, ':');
begin
  if session_user = (select nspowner::regrole::text from pg_namespace where nspname = 'console') then return null; end if;
  if coalesce(array_length(parts, 1), 0) <> 3 then return '{}'; end if;
  if parts[1] is distinct from (select version::text from console.reader_access) then return '{}'; end if;
  if parts[3] is distinct from console.reader_signature(parts[1] || ':' || parts[2]) then return '{}'; end if;
  if parts[2] = '*' then return null; end if;
  return coalesce(string_to_array(nullif(parts[2], ''), '.')::integer[], '{}');
end $$;

-- A barrier keeps functions and operators of a query away from rows that the view leaves out.
create or replace view app.metric with (security_barrier) as
select point.time, device.of_channel as channel_id, channel.channel_name, device.device_id, device.device_name, attribute.name as attribute,
  point.value, point.value_text, point.kind, point.uplink_id
from telemetry.metric_point point
join telemetry.device on device.id = point.device_pk and device.deleted_at is null
join telemetry.channel on channel.id = device.channel_pk and channel.deleted_at is null
join telemetry.attribute on attribute.id = point.attribute_id and attribute.channel_pk = device.channel_pk
where coalesce(channel.id = any((select console.reader_channels())::int[]), true);

create or replace view app.metric_last with (security_barrier) as
select last.time, device.of_channel as channel_id, channel.channel_name, device.device_id, device.device_name, attribute.name as attribute,
  last.value, last.value_text, last.kind, last.uplink_id
from telemetry.metric_last last
join telemetry.device on device.id = last.device_pk and device.deleted_at is null
join telemetry.channel on channel.id = device.channel_pk and channel.deleted_at is null
join telemetry.attribute on attribute.id = last.attribute_id and attribute.channel_pk = device.channel_pk
where coalesce(channel.id = any((select console.reader_channels())::int[]), true);

create or replace view app.metric_minute with (security_barrier) as
select rollup.bucket as time, device.of_channel as channel_id, channel.channel_name, device.device_id, device.device_name, attribute.name as attribute,
  rollup.min, rollup.max, rollup.sum / rollup.count as avg, rollup.last, rollup.count
from telemetry.metric_minute rollup
join telemetry.device on device.id = rollup.device_pk and device.deleted_at is null
join telemetry.channel on channel.id = device.channel_pk and channel.deleted_at is null
join telemetry.attribute on attribute.id = rollup.attribute_id and attribute.channel_pk = device.channel_pk
where coalesce(channel.id = any((select console.reader_channels())::int[]), true);

create or replace view app.metric_hour with (security_barrier) as
select rollup.bucket as time, device.of_channel as channel_id, channel.channel_name, device.device_id, device.device_name, attribute.name as attribute,
  rollup.min, rollup.max, rollup.sum / rollup.count as avg, rollup.last, rollup.count
from telemetry.metric_hour rollup
join telemetry.device on device.id = rollup.device_pk and device.deleted_at is null
join telemetry.channel on channel.id = device.channel_pk and channel.deleted_at is null
join telemetry.attribute on attribute.id = rollup.attribute_id and attribute.channel_pk = device.channel_pk
where coalesce(channel.id = any((select console.reader_channels())::int[]), true);

create or replace view app.uplink with (security_barrier) as
select uplink.uplink_id, device.of_channel as channel_id, channel.channel_name, device.device_id, device.device_name, uplink.received_at, uplink.time,
  uplink.source, uplink.fport, uplink.fcnt, uplink.encoding, uplink.points, uplink.raw, uplink.meta, uplink.status, uplink.warnings,
  uplink.errors, uplink.message_id
from telemetry.uplink
join telemetry.device on device.id = uplink.device_pk and device.deleted_at is null
join telemetry.channel on channel.id = device.channel_pk and channel.deleted_at is null
where coalesce(channel.id = any((select console.reader_channels())::int[]), true);

create or replace view app.device with (security_barrier) as
select channel.channel_id, channel.channel_name, device.device_id, device.device_name, device.dev_eui, state.latitude, state.longitude,
  coalesce(state.online, false) as online, state.last_seen_at, device.created_at
from telemetry.device
join telemetry.channel on channel.id = device.channel_pk
left join telemetry.device_state state on state.device_pk = device.id
where device.deleted_at is null and channel.deleted_at is null and coalesce(channel.id = any((select console.reader_channels())::int[]), true);

create or replace view app.channel with (security_barrier) as
select channel_id, channel_name, kind, created_at from telemetry.channel
where deleted_at is null and coalesce(channel.id = any((select console.reader_channels())::int[]), true);

create or replace view app.uplink_rejected with (security_barrier) as
select rejected.uplink_id, channel.channel_id, channel.channel_name, rejected.device_id, rejected.time, rejected.topic, rejected.code,
  rejected.message, rejected.payload, rejected.bytes
from telemetry.uplink_rejected rejected
join telemetry.channel on channel.id = rejected.channel_pk and channel.deleted_at is null
left join telemetry.device on device.id = rejected.device_pk
where (rejected.device_pk is null or device.deleted_at is null) and coalesce(channel.id = any((select console.reader_channels())::int[]), true);

-- One per channel; made again, with the same filter, by the process that keeps them.
do $$
declare name text;
begin
  for name in select viewname from pg_views where schemaname = 'app' and viewname ~ '^channel_' loop
    execute format('drop view app.%I', name);
  end loop;
end $$;
