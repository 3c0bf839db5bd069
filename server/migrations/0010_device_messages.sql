-- iot-behaviour 1.9: the ids that entries of a batch carry, each its own; the id of a single message stands in its uplink.
create table telemetry.entry_id (
  device_pk integer not null,
  message_id text not null,
  received_at timestamptz not null,
  uplink_id text not null
) partition by range (received_at);
create index entry_id_message on telemetry.entry_id (device_pk, message_id);

-- What devices answered to commands (iot-behaviour 3.3), as it came. The queue of commands reads it by the command's id.
create table console.device_acks (
  id bigint primary key generated always as identity,
  device_pk integer not null references telemetry.device on delete cascade,
  command_id text not null,
  is_ok boolean not null,
  raw bytea not null,
  received_at timestamptz not null default now()
);
create index device_ack_command on console.device_acks (device_pk, command_id);
create index device_ack_age on console.device_acks (received_at);

-- What a broker says about itself, as of a few seconds ago (iot-behaviour 1.4: `acl_denied`).
alter table console.brokers
  add column connections integer not null default 0,
  add column denied bigint not null default 0,
  add column held_bytes bigint not null default 0;
