-- Issue 21: rows of large results may lie in an object store (RESULTS_URL).

-- Objects of this database lie below a name of its own: several consoles may share a bucket. It is never part of a backup, so a copy of the
-- database never deletes objects of the original.
create table console.object_store (
  is_only boolean primary key default true check (is_only),
  installation uuid not null default gen_random_uuid()
);
insert into console.object_store default values;

-- The folder of the result's objects, written before the first of them is stored.
alter table console.query_results add column object_folder text;
create unique index query_result_objects on console.query_results (object_folder) where object_folder is not null;

-- A chunk is stored here, or as a part of an object.
alter table console.query_result_chunks alter column data drop not null;
alter table console.query_result_chunks add column object_key text;
alter table console.query_result_chunks add column object_offset integer;
alter table console.query_result_chunks add column object_bytes integer;
alter table console.query_result_chunks add column object_size integer;
alter table console.query_result_chunks add constraint stored_once check ((data is null) = (object_key is not null)) not valid;

-- Folders whose objects are to be deleted; a row goes when the store has confirmed that.
create table console.object_deletions (
  folder text primary key,
  queued_at timestamptz not null default now(),
  tried_at timestamptz,
  last_error text
);

-- Results are deleted with their source, by quota and by age: the objects of each are queued in the same transaction.
create function console.queue_object_deletion() returns trigger language plpgsql as $$
begin
  if old.object_folder like (select installation::text from console.object_store) || '/%' then
    insert into console.object_deletions (folder) values (old.object_folder) on conflict do nothing;
  end if;
  return null;
end $$;
create trigger queue_object_deletion after delete on console.query_results
  for each row when (old.object_folder is not null) execute function console.queue_object_deletion();
