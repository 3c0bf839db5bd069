-- What watchers of uplinks (alerts, event schedules) found in a reading. Written in the transaction that stores the uplink,
-- deleted in the one that carries out its consequences: nothing is lost and nothing happens twice.
create table console.uplink_matches (
  watcher text not null,
  -- Sorts by time of arrival.
  uplink_id text not null,
  -- The alert or schedule.
  subject_id integer not null,
  device_pk integer not null,
  at timestamptz not null,
  payload jsonb not null,
  -- The process that stored it and handles it; others only when that one is gone.
  writer uuid not null,
  attempts integer not null default 0,
  primary key (watcher, uplink_id, subject_id)
);
