-- Dashboards: what stands on them, and who may look at them from outside.

create table console.dashboards (
  id integer primary key generated always as identity,
  org_id integer not null references console.organizations,
  -- How old addresses name it; made once from the name and never changed.
  slug text not null check (length(slug) <= 140),
  name text not null check (length(name) <= 100),
  user_id integer not null references console.users,
  dashboard_filters_enabled boolean not null default false,
  options jsonb not null default '{}',
  tags text[] not null default '{}',
  is_archived boolean not null default false,
  is_draft boolean not null default true,
  version integer not null default 1,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  unique (org_id, slug)
);
create index dashboard_owner on console.dashboards (user_id);
create index dashboard_newest on console.dashboards (created_at desc, id desc) where not is_archived;
create index dashboard_changed on console.dashboards (updated_at desc, id desc) where not is_archived;
create index dashboard_tags on console.dashboards using gin (tags);

-- Where it can be had, parts of names are found by trigrams (W42).
do $$
begin
  create index dashboard_name on console.dashboards using gin (name gin_trgm_ops);
exception when others then
  raise notice 'no trigram index: %', sqlerrm;
end $$;

create table console.widgets (
  id integer primary key generated always as identity,
  dashboard_id integer not null references console.dashboards on delete cascade,
  -- None for a text box. What is shown somewhere cannot be deleted (W21).
  visualization_id integer references console.visualizations,
  text text not null default '' check (length(text) <= 100000),
  width integer not null default 1,
  options jsonb not null default '{}',
  -- W19: goes up with every save, so that nobody overwrites what they have not seen.
  version integer not null default 1,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now()
);
create index widget_dashboard on console.widgets (dashboard_id);
create index widget_visualization on console.widgets (visualization_id);

-- W7: one secret address for each dashboard; taking it away is deleting the row.
create table console.dashboard_shares (
  dashboard_id integer primary key references console.dashboards on delete cascade,
  api_key_hash bytea not null unique,
  api_key_sealed bytea not null,
  -- In whose name data is shown: what they may not see any more, nobody sees by this address.
  user_id integer not null references console.users,
  expires_at timestamptz,
  view_count integer not null default 0,
  last_viewed_at timestamptz,
  created_at timestamptz not null default now()
);
create index dashboard_share_owner on console.dashboard_shares (user_id);

-- What a job led to is asked for by whoever joined it.
create index job_member on console.job_members (member);
