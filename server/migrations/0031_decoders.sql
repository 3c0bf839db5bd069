-- iot-behaviour 4: scripts that read the bytes of a channel. Every saved version is kept; one is in use.
create table console.decoder_versions (
  channel_pk integer not null references telemetry.channel on delete cascade,
  version integer not null,
  script text not null check (octet_length(script) <= 65536),
  examples jsonb not null default '[]',
  -- Saved although an example failed.
  is_overridden boolean not null default false,
  created_by integer references console.users on delete set null,
  created_at timestamptz not null default now(),
  primary key (channel_pk, version)
);

create table console.decoders (
  channel_pk integer primary key references telemetry.channel on delete cascade,
  version integer not null,
  -- 4.3: the circuit breaker is open until then; what comes in meanwhile is stored undecoded.
  paused_at timestamptz,
  paused_until timestamptz,
  updated_at timestamptz not null default now()
);

-- Processes that decode keep scripts in memory and read them again (a hint: the tables are the truth).
create function console.decoder_changed() returns trigger language plpgsql as $$
begin
  perform pg_notify('telltale_decoders', (case when tg_op = 'DELETE' then old else new end).channel_pk::text);
  return null;
end $$;
create trigger decoder_changed after insert or update or delete on console.decoders
for each row execute function console.decoder_changed();

-- 4.2: decoding again, and how far it has come.
create table console.decoder_reruns (
  job_id uuid primary key,
  channel_pk integer not null references telemetry.channel on delete cascade,
  version integer not null,
  started_by integer references console.users on delete set null,
  started_at timestamptz not null default now(),
  total integer not null default 0,
  uplinks integer not null default 0,
  added integer not null default 0,
  changed integer not null default 0,
  gone integer not null default 0,
  failed integer not null default 0,
  kept integer not null default 0
);
create index decoder_rerun_channel on console.decoder_reruns (channel_pk, started_at desc);

-- Which version made the points of a message; null where none did.
alter table telemetry.uplink add column decoder_version integer;
