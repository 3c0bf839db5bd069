-- With CLICKHOUSE_URL, readings are copied to ClickHouse. Triggers write what a statement changed here, in its own transaction; a row is deleted after
-- ClickHouse has confirmed it. The triggers exist only while CLICKHOUSE_URL is set (server/history), so nothing else pays for them.
create table telemetry.history_outbox (
  -- Also the version of its readings in ClickHouse. It is assigned after the statement has locked the readings, so that of two changes of one
  -- reading the later one has the greater id.
  id bigint primary key generated always as identity,
  target text not null check (target in ('point', 'last')),
  is_deleted boolean not null,
  points integer not null,
  times timestamptz[] not null,
  device_pks integer[] not null,
  attribute_ids integer[] not null,
  numbers double precision[] not null,
  texts text[] not null,
  kinds text[] not null,
  uplink_ids text[] not null,
  created_at timestamptz not null default now()
);

-- Statements of any size: 10,000 readings per row.
create function telemetry.note_history() returns trigger language plpgsql as $$
begin
  insert into telemetry.history_outbox (target, is_deleted, points, times, device_pks, attribute_ids, numbers, texts, kinds, uplink_ids)
  select tg_argv[0], tg_op = 'DELETE', count(*), array_agg(time), array_agg(device_pk), array_agg(attribute_id), array_agg(value), array_agg(value_text),
    array_agg(kind::text), array_agg(uplink_id)
  from (select *, (row_number() over () - 1) / 10000 as part from changed) numbered
  group by part order by part;
  return null;
end $$;

-- How far the command that moves older readings has come; one row per part of telemetry.metric_point.
create table telemetry.history_moves (
  part text primary key,
  -- The key of the last reading that was moved; null before the first one.
  device_pk integer,
  attribute_id integer,
  time timestamptz,
  points bigint not null default 0,
  done_at timestamptz
);
