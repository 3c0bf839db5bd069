-- Tags of devices, by which operators filter a channel's list.
alter table telemetry.device add column tags text[] not null default '{}';
create index device_tags on telemetry.device using gin (tags) where deleted_at is null;
