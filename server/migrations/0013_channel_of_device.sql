-- Who asks for readings names their channel. Through a join PostgreSQL takes every channel for one of average size, and read whole
-- days of all others for the few readings of a small one; on the device's own row it knows how many there are of which.
alter table telemetry.device add column of_channel text;
update telemetry.device set of_channel = channel.channel_id from telemetry.channel where channel.id = channel_pk;
alter table telemetry.device alter column of_channel set not null;
create index device_channel on telemetry.device (of_channel) where deleted_at is null;

create function telemetry.name_channel_of_device() returns trigger language plpgsql as $$
begin
  select channel_id into new.of_channel from telemetry.channel where id = new.channel_pk;
  return new;
end $$;
create trigger channel_of_device before insert or update of channel_pk on telemetry.device
for each row execute function telemetry.name_channel_of_device();

-- An attribute belongs to the channel of whoever reports it: said here, its number is found before any reading is looked at.
create or replace view app.metric as
select point.time, device.of_channel as channel_id, channel.channel_name, device.device_id, device.device_name, attribute.name as attribute,
  point.value, point.value_text, point.kind, point.uplink_id
from telemetry.metric_point point
join telemetry.device on device.id = point.device_pk and device.deleted_at is null
join telemetry.channel on channel.id = device.channel_pk and channel.deleted_at is null
join telemetry.attribute on attribute.id = point.attribute_id and attribute.channel_pk = device.channel_pk;

create or replace view app.metric_last as
select last.time, device.of_channel as channel_id, channel.channel_name, device.device_id, device.device_name, attribute.name as attribute,
  last.value, last.value_text, last.kind, last.uplink_id
from telemetry.metric_last last
join telemetry.device on device.id = last.device_pk and device.deleted_at is null
join telemetry.channel on channel.id = device.channel_pk and channel.deleted_at is null
join telemetry.attribute on attribute.id = last.attribute_id and attribute.channel_pk = device.channel_pk;

create or replace view app.metric_minute as
select rollup.bucket as time, device.of_channel as channel_id, channel.channel_name, device.device_id, device.device_name, attribute.name as attribute,
  rollup.min, rollup.max, rollup.sum / rollup.count as avg, rollup.last, rollup.count
from telemetry.metric_minute rollup
join telemetry.device on device.id = rollup.device_pk and device.deleted_at is null
join telemetry.channel on channel.id = device.channel_pk and channel.deleted_at is null
join telemetry.attribute on attribute.id = rollup.attribute_id and attribute.channel_pk = device.channel_pk;

create or replace view app.metric_hour as
select rollup.bucket as time, device.of_channel as channel_id, channel.channel_name, device.device_id, device.device_name, attribute.name as attribute,
  rollup.min, rollup.max, rollup.sum / rollup.count as avg, rollup.last, rollup.count
from telemetry.metric_hour rollup
join telemetry.device on device.id = rollup.device_pk and device.deleted_at is null
join telemetry.channel on channel.id = device.channel_pk and channel.deleted_at is null
join telemetry.attribute on attribute.id = rollup.attribute_id and attribute.channel_pk = device.channel_pk;

create or replace view app.uplink as
select uplink.uplink_id, device.of_channel as channel_id, channel.channel_name, device.device_id, device.device_name, uplink.received_at, uplink.time,
  uplink.source, uplink.fport, uplink.fcnt, uplink.encoding, uplink.points, uplink.raw, uplink.meta, uplink.status, uplink.warnings,
  uplink.errors, uplink.message_id
from telemetry.uplink
join telemetry.device on device.id = uplink.device_pk and device.deleted_at is null
join telemetry.channel on channel.id = device.channel_pk and channel.deleted_at is null;
