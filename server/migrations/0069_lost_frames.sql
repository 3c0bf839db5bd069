-- iot-behaviour 2.1: how many frames of a channel never arrived, by the gaps in the frame counters of its devices.
create table telemetry.channel_lost_frames (
  channel_pk integer primary key references telemetry.channel on delete cascade,
  lost bigint not null,
  last_at timestamptz not null default now()
);
