-- Joins that a network told before a channel took their application.
create table console.network_early_events (
  id integer primary key generated always as identity,
  network_id integer not null references console.networks on delete cascade,
  event_key text,
  event jsonb not null,
  created_at timestamptz not null default now()
);
create unique index network_early_event_once on console.network_early_events (network_id, event_key) where event_key is not null;

-- Which version of the decoder read an uplink (iot-behaviour 4.2); filter and barrier as in 0037.
create or replace view app.uplink with (security_barrier) as
select uplink.uplink_id, device.of_channel as channel_id, channel.channel_name, device.device_id, device.device_name, uplink.received_at, uplink.time,
  uplink.source, uplink.fport, uplink.fcnt, uplink.encoding, uplink.points, uplink.raw, uplink.meta, uplink.status, uplink.warnings,
  uplink.errors, uplink.message_id, uplink.decoder_version
from telemetry.uplink
join telemetry.device on device.id = uplink.device_pk and device.deleted_at is null
join telemetry.channel on channel.id = device.channel_pk and channel.deleted_at is null
where coalesce(channel.id = any((select console.reader_channels())::int[]), true);

-- iot-behaviour 3.5.9: a device whose condition holds already is not sent the command.
alter table console.commands add column skip_if_true boolean not null default false;

-- iot-behaviour 3.3: what devices answer beside ok and error becomes points under sys.ack., where the channel asks for it.
alter table console.channel_settings add column ack_points boolean not null default false;
