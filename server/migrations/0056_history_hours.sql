-- Hours go to ClickHouse, too: PostgreSQL keeps them for ever, and late readings change them.
alter table telemetry.history_outbox drop constraint history_outbox_target_check;
alter table telemetry.history_outbox add constraint history_outbox_target_check check (target in ('point', 'last', 'hour'));

-- A row's text is `count, sum, min, max, last` between tabs, as ClickHouse reads them.
create function telemetry.note_history_hours() returns trigger language plpgsql as $$
begin
  insert into telemetry.history_outbox (target, is_deleted, points, times, device_pks, attribute_ids, numbers, texts, kinds, uplink_ids)
  select 'hour', tg_op = 'DELETE', count(*), array_agg(bucket), array_agg(device_pk), array_agg(attribute_id), '{}',
    array_agg(concat_ws(E'\t', count, sum, min, max, last)), '{}', '{}'
  from (select *, (row_number() over () - 1) / 10000 as part from changed) numbered
  group by part order by part;
  return null;
end $$;
