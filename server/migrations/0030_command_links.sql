-- Who hears of a command's deliveries, and which alerts send it (A3, design 8.1).
create table console.command_subscriptions (
  id integer primary key generated always as identity,
  command_id integer not null references console.commands on delete cascade,
  destination_id integer not null references console.destinations on delete cascade,
  user_id integer references console.users on delete set null,
  created_at timestamptz not null default now(),
  unique (command_id, destination_id)
);

create table console.alert_commands (
  id integer primary key generated always as identity,
  alert_id integer not null references console.alerts on delete cascade,
  command_id integer not null references console.commands on delete cascade,
  -- triggered, ok or both.
  fires_on text not null check (fires_on in ('triggered', 'ok', 'both')),
  user_id integer references console.users on delete set null,
  created_at timestamptz not null default now(),
  unique (alert_id, command_id)
);
create index alert_command_command on console.alert_commands (command_id);
