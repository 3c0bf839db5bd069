-- Each person who is told a query's key is told one of their own: it works with the rights that they and the query's owner have at
-- that moment. The owner and administrators see which there are and revoke them one by one.
create table console.query_keys (
  query_id integer not null references console.queries on delete cascade,
  user_id integer not null references console.users on delete cascade,
  api_key_hash bytea not null unique,
  api_key_sealed bytea not null,
  created_at timestamptz not null default now(),
  -- Noted once a minute at most.
  last_used_at timestamptz,
  -- A revoked one stays, so that its person is not told another one by opening the query again.
  revoked_at timestamptz,
  primary key (query_id, user_id)
);
create index query_key_person on console.query_keys (user_id);

-- The keys that are in use already are the owners' own.
insert into console.query_keys (query_id, user_id, api_key_hash, api_key_sealed, created_at)
select id, user_id, api_key_hash, api_key_sealed, created_at from console.queries;
alter table console.queries drop column api_key_hash, drop column api_key_sealed;
