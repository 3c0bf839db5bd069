-- iot-behaviour 4.1: texts by name that the decoder of the channel gets with each message of the device.
alter table telemetry.device add column variables jsonb not null default '{}';
