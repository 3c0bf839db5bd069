-- Networks that devices report through: The Things Stack, ChirpStack, whatever posts JSON, and one of our own (iot-behaviour 2).

create table console.networks (
  id integer primary key generated always as identity,
  org_id integer not null references console.organizations,
  name text not null,
  type text not null check (type in ('tts', 'chirpstack', 'http', 'simulated')),
  options_sealed bytea not null,
  -- Shown to administrators again, so it is sealed and not hashed.
  webhook_secret_sealed bytea not null,
  -- How we call ourselves at its broker: one name for ever, so that the broker keeps what comes while we are away.
  client_id text not null,
  disabled_at timestamptz,
  -- Changes with the settings: whoever holds a connection opens it anew.
  version integer not null default 1,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now()
);
create unique index network_name on console.networks (org_id, lower(name));

-- What changes with every message lies apart from what people type.
create table console.network_states (
  network_id integer primary key references console.networks on delete cascade,
  state text not null default 'connecting' check (state in ('connecting', 'connected', 'error')),
  last_error text,
  last_message_at timestamptz,
  -- Where a webhook says that downlinks go, and the key it brought for that.
  downlink_url text,
  downlink_key_sealed bytea,
  updated_at timestamptz not null default now()
);

create function console.networks_changed() returns trigger language plpgsql as $$
begin
  perform pg_notify('telltale_networks', '');
  return null;
end $$;
create trigger network_changed after insert or update or delete on console.networks
for each statement execute function console.networks_changed();

-- Webhooks are written down before they are answered, and read by the one process that holds the network.
create table console.network_inbox (
  id bigint primary key generated always as identity,
  network_id integer not null references console.networks on delete cascade,
  event text,
  body bytea not null,
  received_at timestamptz not null default now()
);
create index network_inbox_order on console.network_inbox (network_id, id);

-- The queue of the simulated network.
create table console.simulated_downlinks (
  attempt_id text primary key,
  network_id integer not null references console.networks on delete cascade,
  device_id text not null,
  fport smallint not null,
  bytes bytea not null,
  confirmed boolean not null,
  attempts integer not null default 0,
  most_attempts integer not null,
  created_at timestamptz not null default now()
);
create index simulated_downlink_order on console.simulated_downlinks (network_id, created_at, attempt_id);

alter table telemetry.channel drop constraint channel_kind_check;
alter table telemetry.channel add constraint channel_kind_check check (kind in ('mqtt', 'http', 'tts', 'chirpstack', 'simulated'));

alter table console.channel_settings
  add column network_id integer references console.networks on delete set null,
  -- Which application of the network; null takes what no other channel of the network takes.
  add column application_id text,
  add column metadata text not null default 'basic' check (metadata in ('none', 'basic', 'full'));
create index channel_network on console.channel_settings (network_id) where network_id is not null;

-- 2.6: lower-case hex, one device of a channel each.
create unique index device_eui_alive on telemetry.device (channel_pk, dev_eui) where deleted_at is null and dev_eui is not null;

-- How the network calls a device: downlinks are addressed by that.
create table console.network_devices (
  device_pk integer primary key references telemetry.device on delete cascade,
  network_device_id text,
  application_id text,
  updated_at timestamptz not null default now()
);

-- What a network tells about a device beside its uplinks: joins, acknowledgements, status, log.
create table telemetry.device_event (
  id bigint primary key generated always as identity,
  device_pk integer not null references telemetry.device on delete cascade,
  received_at timestamptz not null default now(),
  time timestamptz not null,
  source text not null,
  event text not null,
  level text not null check (level in ('info', 'warning', 'error')),
  message text not null,
  -- The same event told twice has the same key.
  event_key text,
  detail jsonb
);
create unique index device_event_once on telemetry.device_event (device_pk, event_key) where event_key is not null;
create index device_event_newest on telemetry.device_event (device_pk, received_at desc);
create index device_event_age on telemetry.device_event (received_at);

-- Downlinks that were handed to a network, until it has told what became of them.
create table console.network_downlinks (
  attempt_id text primary key,
  network_id integer not null references console.networks on delete cascade,
  device_pk integer not null references telemetry.device on delete cascade,
  -- The network's own id of it, where it does not take ours.
  network_ref text,
  handed_at timestamptz not null default now(),
  -- 3.8: a network that says nothing about it within this time has not taken it; null where silence means nothing.
  answer_until timestamptz,
  -- Nothing more is expected.
  ended_at timestamptz
);
create index network_downlink_unanswered on console.network_downlinks (network_id, answer_until) where answer_until is not null;
create index network_downlink_device on console.network_downlinks (device_pk) where ended_at is null;
create index network_downlink_ref on console.network_downlinks (network_ref) where network_ref is not null;
