-- Search everywhere: parts of names, by trigrams where the extension can be had, else by looking at every name.
do $$
begin
  create extension if not exists pg_trgm;
  create index search_device_name on telemetry.device using gin (device_name gin_trgm_ops) where deleted_at is null;
  create index search_device_id on telemetry.device using gin (device_id gin_trgm_ops) where deleted_at is null;
  create index search_channel_name on telemetry.channel using gin (channel_name gin_trgm_ops);
  create index search_dashboard_name on console.dashboards using gin (name gin_trgm_ops);
  create index search_alert_name on console.alerts using gin (name gin_trgm_ops);
  create index search_command_name on console.commands using gin (name gin_trgm_ops);
  create index search_user_name on console.users using gin (name gin_trgm_ops);
exception when others then
  raise notice 'no trigram index: %', sqlerrm;
end $$;
-- The newest first, without a term.
create index search_query_newest on console.queries (updated_at desc) where not is_archived;
create index search_dashboard_newest on console.dashboards (updated_at desc) where not is_archived;
create index search_device_newest on telemetry.device (created_at desc) where deleted_at is null;
