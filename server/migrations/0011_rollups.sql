-- iot-behaviour 1.8: what devices reported, by minute and by hour. Writers of uplinks have nothing to do with it: one process
-- reads what has become of the last minutes, and whoever writes a point of another time says so in `rollup_due`.

create table telemetry.metric_minute (
  device_pk integer not null,
  attribute_id integer not null,
  bucket timestamptz not null,
  count integer not null,
  sum double precision not null,
  min double precision not null,
  max double precision not null,
  last double precision not null,
  last_time timestamptz not null,
  primary key (device_pk, attribute_id, bucket)
) partition by range (bucket);
create table telemetry.metric_hour (like telemetry.metric_minute including all) partition by range (bucket);

-- Everything before these moments has been rolled up, but for what is due.
create table telemetry.rollup_state (
  minutes_until timestamptz not null,
  hours_until timestamptz not null
);
create unique index rollup_state_single on telemetry.rollup_state ((true));
insert into telemetry.rollup_state select date_bin('1 hour', now(), '2000-01-01 00:00+00'), date_bin('1 hour', now(), '2000-01-01 00:00+00');

-- Minutes of a device that have to be counted again: late readings, corrected ones, those of a clock that is ahead.
create table telemetry.rollup_due (
  id bigint primary key generated always as identity,
  device_pk integer not null,
  from_time timestamptz not null,
  to_time timestamptz not null
);
create index rollup_due_device on telemetry.rollup_due (device_pk);
insert into telemetry.rollup_due (device_pk, from_time, to_time)
select device_pk, min(time), max(time) from telemetry.metric_point group by device_pk, date_bin('1 hour', time, '2000-01-01 00:00+00');

create view app.metric_minute as
select rollup.bucket as time, channel.channel_id, channel.channel_name, device.device_id, device.device_name, attribute.name as attribute,
  rollup.min, rollup.max, rollup.sum / rollup.count as avg, rollup.last, rollup.count
from telemetry.metric_minute rollup
join telemetry.device on device.id = rollup.device_pk and device.deleted_at is null
join telemetry.channel on channel.id = device.channel_pk and channel.deleted_at is null
join telemetry.attribute on attribute.id = rollup.attribute_id;

create view app.metric_hour as
select rollup.bucket as time, channel.channel_id, channel.channel_name, device.device_id, device.device_name, attribute.name as attribute,
  rollup.min, rollup.max, rollup.sum / rollup.count as avg, rollup.last, rollup.count
from telemetry.metric_hour rollup
join telemetry.device on device.id = rollup.device_pk and device.deleted_at is null
join telemetry.channel on channel.id = device.channel_pk and channel.deleted_at is null
join telemetry.attribute on attribute.id = rollup.attribute_id;
