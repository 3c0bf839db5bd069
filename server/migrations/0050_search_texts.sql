-- Search everywhere compares bytes: names in lower case are kept, because lowering 20,000 of them for every letter that somebody types
-- takes longer than the whole search may. Works with and without trigram indexes, which stand on these columns where they can be had.
alter table telemetry.device add column search_text text collate "C" generated always as (lower(device_name || E'\n' || device_id)) stored;
alter table telemetry.channel add column search_text text collate "C" generated always as (lower(channel_name || E'\n' || channel_id)) stored;
alter table console.dashboards add column search_text text collate "C" generated always as (lower(name)) stored;
alter table console.queries add column search_text text collate "C" generated always as (lower(name)) stored;
alter table console.alerts add column search_text text collate "C" generated always as (lower(name)) stored;
alter table console.commands add column search_text text collate "C" generated always as (lower(name)) stored;
alter table console.users add column search_text text collate "C" generated always as (lower(name || E'\n' || email)) stored;
drop index if exists telemetry.search_device_name, telemetry.search_device_id, telemetry.search_channel_name;
drop index if exists console.search_dashboard_name, console.search_alert_name, console.search_command_name, console.search_user_name;
do $$
begin
  create extension if not exists pg_trgm;
  create index search_device_text on telemetry.device using gin (search_text gin_trgm_ops) where deleted_at is null;
  create index search_query_text on console.queries using gin (search_text gin_trgm_ops) where not is_archived;
  create index search_dashboard_text on console.dashboards using gin (search_text gin_trgm_ops) where not is_archived;
exception when others then
  raise notice 'no trigram index: %', sqlerrm;
end $$;
