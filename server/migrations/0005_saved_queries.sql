-- What people do with saved queries: find them, go back to older versions, star them, let others edit them, take snippets.

-- What the search looks at lies apart from the queries: a new result or another run time never touches its indexes.
create table console.query_search (
  query_id integer primary key references console.queries on delete cascade,
  name text not null,
  description text,
  search tsvector not null
);
create index query_search_words on console.query_search using gin (search);

-- Where it can be had, parts of words are found by trigrams; everywhere else by looking at every name.
do $$
begin
  create extension if not exists pg_trgm;
  create index query_search_name on console.query_search using gin (name gin_trgm_ops);
  create index query_search_description on console.query_search using gin (description gin_trgm_ops);
exception when others then
  raise notice 'no trigram index: %', sqlerrm;
end $$;

-- Words end at every sign of ASCII that is no letter or digit, so that `app.metric` is found by both of its parts.
create function console.search_vector(text) returns tsvector language sql immutable parallel safe
return to_tsvector('pg_catalog.simple', regexp_replace($1, '[\u0001-\u002f\u003a-\u0040\u005b-\u0060\u007b-\u007f]+', ' ', 'g'));

-- Name, number and tags, description, text, in this order of weight; more of a text than this would not fit in an index entry.
create function console.index_query() returns trigger language plpgsql as $$
begin
  insert into console.query_search (query_id, name, description, search)
  values (new.id, new.name, new.description,
    setweight(console.search_vector(new.name), 'A') ||
    setweight(console.search_vector(new.id || ' ' || array_to_string(new.tags, ' ')), 'B') ||
    setweight(console.search_vector(coalesce(new.description, '')), 'C') ||
    setweight(console.search_vector(left(new.query, 100000)), 'D'))
  on conflict (query_id) do update set name = excluded.name, description = excluded.description, search = excluded.search;
  return null;
end $$;
create trigger query_indexed after insert or update of name, description, query, tags on console.queries
for each row execute function console.index_query();
update console.queries set name = name;

-- W33: every saved version, with what was new in it.
create table console.query_versions (
  query_id integer not null references console.queries on delete cascade,
  version integer not null,
  user_id integer references console.users on delete set null,
  fields text[] not null,
  name text not null,
  description text,
  query text not null,
  data_source_id integer references console.data_sources on delete set null,
  schedule jsonb,
  options jsonb not null,
  tags text[] not null,
  is_draft boolean not null,
  is_archived boolean not null,
  created_at timestamptz not null default now(),
  primary key (query_id, version)
);
insert into console.query_versions
  (query_id, version, user_id, fields, name, description, query, data_source_id, schedule, options, tags, is_draft, is_archived, created_at)
select id, version, last_modified_by_id, '{name,query}', name, description, query, data_source_id, schedule, options, tags, is_draft, is_archived, updated_at
from console.queries;

alter table console.queries
  -- The version in which the text, its source or its parameters last changed: a run of an older one is not this query's result.
  add column text_version integer not null default 1,
  -- The channel, devices and attributes that a query of the New Query dialog was made from.
  add column device_query jsonb;
create index query_newest on console.queries (created_at desc, id desc) where not is_archived;

create table console.favorites (
  org_id integer not null references console.organizations,
  object_type text not null check (object_type in ('Query', 'Dashboard')),
  object_id integer not null,
  user_id integer not null references console.users on delete cascade,
  created_at timestamptz not null default now(),
  primary key (object_type, object_id, user_id)
);
create index favorite_owner on console.favorites (user_id, object_type);

create table console.access_permissions (
  id integer primary key generated always as identity,
  object_type text not null check (object_type in ('queries', 'dashboards')),
  object_id integer not null,
  access_type text not null check (access_type in ('view', 'modify', 'delete')),
  grantor_id integer references console.users on delete set null,
  grantee_id integer not null references console.users on delete cascade,
  created_at timestamptz not null default now(),
  unique (object_type, object_id, access_type, grantee_id)
);
create index access_permission_grantee on console.access_permissions (grantee_id, object_type);

create table console.query_snippets (
  id integer primary key generated always as identity,
  org_id integer not null references console.organizations,
  trigger text not null check (length(trigger) <= 255),
  description text not null default '' check (length(description) <= 4096),
  snippet text not null,
  user_id integer not null references console.users,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  unique (org_id, trigger)
);
