-- Issue 13.12: stored results have a quota, per person and in all.
-- Who ran it; nobody for runs of keys and tokens, which count only in all.
alter table console.query_results add column charged_to integer references console.users on delete set null;
-- What its chunks take, deflated.
alter table console.query_results add column stored_bytes bigint not null default 0;
update console.query_results r set stored_bytes = sizes.bytes
  from (select result_id, sum(octet_length(data)) as bytes from console.query_result_chunks group by result_id) sizes
  where sizes.result_id = r.id;
create index query_result_quota on console.query_results (charged_to, last_used_at) include (stored_bytes);
