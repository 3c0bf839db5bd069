-- Issue 13.10: a key keeps a bounded number of sessions; the part before the slash says whose they are (d: device, c: channel).
alter table console.mqtt_sessions add column scope text generated always as (split_part(client_id, '/', 1)) stored;
create index mqtt_session_scope on console.mqtt_sessions (scope, updated_at desc);
