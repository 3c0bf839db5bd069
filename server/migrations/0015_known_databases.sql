-- server-behaviour 18.5: a schema that nobody has read for a week goes.
alter table console.data_source_schemas add column read_at timestamptz not null default now();

-- server-behaviour 18.6: the databases a source named when it was last asked. Only schemas of these are kept.
create table console.data_source_databases (
  data_source_id integer primary key references console.data_sources on delete cascade,
  names text[] not null,
  refreshed_at timestamptz not null default now()
);
