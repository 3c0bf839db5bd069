-- How somebody arranged the live grid of a device (D2); until then it arranges itself.
create table console.device_dashboards (
  device_pk integer primary key references telemetry.device on delete cascade,
  widgets jsonb not null,
  updated_by integer references console.users on delete set null,
  updated_at timestamptz not null default now()
);
