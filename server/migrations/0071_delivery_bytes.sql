-- iot-behaviour 4.1: what the encoder of the channel made for this device alone, because of its variables. Null where it is the same as in
-- the execution; no bytes at all where the encoder failed.
alter table console.command_deliveries add column bytes bytea, add column fport smallint;
