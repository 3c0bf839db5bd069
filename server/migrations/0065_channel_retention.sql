-- iot-behaviour 1.8: for how many days a channel keeps what its devices report; null is the retention of the installation. Partitions are
-- dropped for all channels at once, so no channel can keep readings for longer than those are kept.
alter table console.channel_settings add column retention_days integer check (retention_days between 1 and 400);

-- How far the deletion of a channel's expired rows has come, so that it goes on where it was interrupted.
create table telemetry.retention_sweep (
  channel_pk integer primary key references telemetry.channel on delete cascade,
  -- Everything before this moment is being deleted, or has been.
  cutoff timestamptz not null,
  -- The partition that is looked at, and the last of its devices that is done with; null before the first one.
  part text,
  device_pk integer,
  worked_at timestamptz not null default now(),
  done_at timestamptz
);
