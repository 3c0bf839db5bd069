-- A sign-in that is under way: at a provider, or waiting for its second factor. It is taken once, by the browser that began it.
create table console.sign_in_flows (
  id_hash bytea primary key,
  method text not null,
  browser_hash bytea not null,
  -- State, nonce, verifier and the page to go to; AES-256-GCM.
  sealed bytea not null,
  expires_at timestamptz not null
);
create index sign_in_flow_expires on console.sign_in_flows (expires_at);

-- The second factor of a password account. Without confirmed_at the enrolment is under way and nothing is asked for.
create table console.totp (
  user_id integer primary key references console.users on delete cascade,
  secret_sealed bytea not null,
  -- The latest time step that was used: a code works once.
  last_step bigint not null default 0,
  confirmed_at timestamptz,
  created_at timestamptz not null default now()
);

create table console.recovery_codes (
  user_id integer not null references console.totp on delete cascade,
  code_hash bytea not null,
  primary key (user_id, code_hash)
);

create table console.passkeys (
  id integer primary key generated always as identity,
  credential_id text not null unique,
  user_id integer not null references console.users on delete cascade,
  public_key bytea not null,
  counter bigint not null,
  transports text[] not null default '{}',
  name text not null check (length(name) <= 100),
  created_at timestamptz not null default now(),
  last_used_at timestamptz
);
create index passkey_user on console.passkeys (user_id);
