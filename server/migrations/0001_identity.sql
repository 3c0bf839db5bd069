-- Who: the organisation, its groups, people, their sessions and keys. Nothing here is readable by query text (design 8).

create table console.organizations (
  id integer primary key generated always as identity,
  name text not null check (length(name) <= 255),
  slug text not null unique,
  settings jsonb not null default '{}',
  created_at timestamptz not null default now()
);

create table console.groups (
  id integer primary key generated always as identity,
  org_id integer not null references console.organizations,
  type text not null check (type in ('builtin', 'regular')),
  name text not null check (length(name) <= 100),
  permissions text[] not null,
  created_at timestamptz not null default now()
);
create unique index group_builtin_name on console.groups (org_id, name) where type = 'builtin';

create table console.users (
  id integer primary key generated always as identity,
  org_id integer not null references console.organizations,
  name text not null check (length(name) <= 320),
  email text not null check (length(email) <= 320 and email = lower(email)),
  password_hash text,
  -- Looked up by a keyed hash, shown from the encrypted copy (design 8: API keys).
  api_key_hash bytea not null unique,
  api_key_sealed bytea not null,
  profile_image_url text,
  is_invitation_pending boolean not null default false,
  is_email_verified boolean not null default true,
  disabled_at timestamptz,
  active_at timestamptz,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  unique (org_id, email)
);

create table console.memberships (
  group_id integer not null references console.groups on delete cascade,
  user_id integer not null references console.users on delete cascade,
  primary key (group_id, user_id)
);
create index membership_user on console.memberships (user_id);

-- Server-side, so each one can be ended (security 35). The cookie's value is never stored, only its hash.
create table console.sessions (
  id bigint primary key generated always as identity,
  token_hash bytea not null unique,
  user_id integer not null references console.users on delete cascade,
  remember boolean not null,
  address text,
  user_agent text,
  created_at timestamptz not null default now(),
  seen_at timestamptz not null default now(),
  expires_at timestamptz not null
);
create index session_owner on console.sessions (user_id);
create index session_expires on console.sessions (expires_at);

-- W4: a link works for one purpose, once, for a while, and dies with the password it was made for.
create table console.account_tokens (
  token_hash bytea primary key,
  purpose text not null check (purpose in ('invite', 'reset', 'verify')),
  user_id integer not null references console.users on delete cascade,
  -- What the link vouches for: the password hash or the e-mail at the time it was made.
  bound_to text not null,
  expires_at timestamptz not null,
  used_at timestamptz,
  created_at timestamptz not null default now()
);
create index account_token_user on console.account_tokens (user_id);

-- Counted attempts: sign-in failures, mails asked for. One row per key and window, so parallel attempts cannot slip through.
create table console.attempts (
  key text primary key,
  count integer not null,
  window_ends_at timestamptz not null
);

-- The one-time set-up code of this installation, hashed; gone once somebody used it (security 2).
create table console.setup (
  id boolean primary key default true check (id),
  code_hash bytea not null,
  created_at timestamptz not null default now()
);

create table console.events (
  id bigint primary key generated always as identity,
  org_id integer not null references console.organizations,
  user_id integer references console.users on delete set null,
  action text not null,
  object_type text not null,
  object_id text,
  properties jsonb not null default '{}',
  created_at timestamptz not null default now()
);
create index event_created on console.events (created_at desc, id desc);

insert into console.organizations (name, slug) values ('', 'default');
insert into console.groups (org_id, type, name, permissions)
select id, 'builtin', 'admin', array['admin', 'super_admin'] from console.organizations
union all
select id, 'builtin', 'default', array[
  'create_dashboard', 'create_query', 'edit_dashboard', 'edit_query', 'view_query', 'view_source', 'execute_query', 'list_users',
  'schedule_query', 'list_dashboards', 'list_alerts', 'list_data_sources', 'view_channel', 'manage_channel', 'send_command']
from console.organizations;
