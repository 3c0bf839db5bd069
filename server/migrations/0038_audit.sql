-- Who changed what, from which address. Names stand as they were, so that entries outlive people and objects. Never values, texts or secrets.
create table console.audit_log (
  id bigint primary key generated always as identity,
  at timestamptz not null default now(),
  user_id integer,
  user_name text,
  user_email text,
  -- By which key, where it was no browser session.
  key text,
  address text not null,
  action text not null,
  object_type text not null,
  object_id text,
  object_name text,
  details jsonb not null default '{}'
);
create index audit_time on console.audit_log (at desc, id desc);
create index audit_user on console.audit_log (user_id, at desc);
create index audit_object on console.audit_log (object_type, object_id, at desc);
