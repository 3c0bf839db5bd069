-- What people note at a moment, or from one moment to another, on the time charts of a dashboard.
create table console.annotations (
  id integer primary key generated always as identity,
  dashboard_id integer not null references console.dashboards on delete cascade,
  user_id integer not null references console.users,
  at timestamptz not null,
  until timestamptz,
  text text not null,
  created_at timestamptz not null default now(),
  check (until is null or until > at)
);
create index annotations_of_dashboard on console.annotations (dashboard_id, at);
