-- iot-behaviour 1.7: for how many seconds after its last message a device without connections counts as online; null is what its gaps tell.
alter table telemetry.device add column online_window_seconds integer check (online_window_seconds between 60 and 2592000);
-- The sweeper looks at all devices every few seconds, and few have a window of their own.
create index device_online_window on telemetry.device (id) where online_window_seconds is not null;
