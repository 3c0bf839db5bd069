-- Question → result: where queries run, what was asked, what came out.

-- The login role that reads schema `app`, made once per installation; its password opens only with our key.
create table console.reader (
  id boolean primary key default true check (id),
  role_name text not null,
  password_sealed bytea not null
);

create table console.data_sources (
  id integer primary key generated always as identity,
  org_id integer not null references console.organizations,
  name text not null check (length(name) <= 255),
  type text not null,
  -- AES-256-GCM under a derived key: database passwords never lie open.
  options_sealed bytea not null,
  paused_at timestamptz,
  pause_reason text check (length(pause_reason) <= 1000),
  -- Goes up with every change, so that no executor reuses a connection made with older settings.
  version integer not null default 1,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now()
);
create unique index data_source_name on console.data_sources (org_id, lower(name));

create table console.data_source_groups (
  data_source_id integer not null references console.data_sources on delete cascade,
  group_id integer not null references console.groups on delete cascade,
  view_only boolean not null default false,
  primary key (data_source_id, group_id)
);
create index data_source_group on console.data_source_groups (group_id);

create table console.data_source_schemas (
  data_source_id integer not null references console.data_sources on delete cascade,
  database text not null default '',
  tables jsonb not null,
  refreshed_at timestamptz not null default now(),
  primary key (data_source_id, database)
);

create table console.query_results (
  id integer primary key generated always as identity,
  org_id integer not null references console.organizations,
  data_source_id integer not null references console.data_sources on delete cascade,
  query_hash text not null,
  query text not null,
  columns jsonb not null,
  log jsonb,
  data_scanned bigint,
  row_count bigint not null,
  -- Inflated, as JSON text.
  byte_count bigint not null,
  runtime double precision not null,
  -- False while the rows still come in; such a one is never shown.
  is_complete boolean not null default true,
  retrieved_at timestamptz not null default now()
);
create index query_result_cache on console.query_results (data_source_id, query_hash, retrieved_at desc);
create index query_result_age on console.query_results (retrieved_at);

create table console.query_result_chunks (
  result_id integer not null references console.query_results on delete cascade,
  seq integer not null,
  rows integer not null,
  length integer not null,
  crc32 bigint not null,
  data bytea not null,
  primary key (result_id, seq)
);
-- Compressed already.
alter table console.query_result_chunks alter column data set storage external;

create table console.queries (
  id integer primary key generated always as identity,
  org_id integer not null references console.organizations,
  data_source_id integer references console.data_sources on delete set null,
  latest_query_data_id integer references console.query_results on delete set null,
  name text not null check (length(name) <= 255),
  description text check (length(description) <= 4096),
  query text not null,
  query_hash text not null,
  api_key_hash bytea not null unique,
  api_key_sealed bytea not null,
  user_id integer not null references console.users,
  last_modified_by_id integer references console.users,
  is_archived boolean not null default false,
  is_draft boolean not null default true,
  schedule jsonb,
  schedule_failures integer not null default 0,
  options jsonb not null default '{}',
  tags text[] not null default '{}',
  version integer not null default 1,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now()
);
create index query_owner on console.queries (user_id);
create index query_source on console.queries (data_source_id);
create index query_latest on console.queries (latest_query_data_id);

create table console.visualizations (
  id integer primary key generated always as identity,
  query_id integer not null references console.queries on delete cascade,
  type text not null check (length(type) <= 100),
  name text not null check (length(name) <= 255),
  description text not null default '' check (length(description) <= 4096),
  options jsonb not null default '{}',
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now()
);
create index visualization_query on console.visualizations (query_id);

-- Equal statements share one run: the key is free again when the job has ended.
alter table console.jobs add column dedupe_key text;
create unique index job_shared on console.jobs (dedupe_key) where status in (1, 2);

-- Everybody who joined a shared job may read it; it is stopped when the last of them has cancelled (design 8).
create table console.job_members (
  job_id uuid not null references console.jobs on delete cascade,
  member text not null,
  cancelled boolean not null default false,
  primary key (job_id, member)
);
