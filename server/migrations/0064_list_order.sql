-- Lists sort nulls last (server-behaviour 1.2). An index serves that order only when it says so as well, also for columns without nulls.
drop index console.query_newest;
create index query_newest on console.queries (created_at desc nulls last, id desc) where not is_archived;
drop index console.dashboard_newest;
create index dashboard_newest on console.dashboards (created_at desc nulls last, id desc) where not is_archived;
drop index telemetry.device_newest;
create index device_newest on telemetry.device (channel_pk, created_at desc nulls last, id desc) where deleted_at is null;

-- The queries that somebody changed last.
drop index console.query_owner;
create index query_owner on console.queries (user_id, updated_at desc, id desc);
