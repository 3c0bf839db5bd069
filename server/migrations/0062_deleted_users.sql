-- Only what belongs to somebody keeps them: queries, dashboards, alerts and query snippets. Other traces of a deleted user do not.
alter table console.queries drop constraint queries_last_modified_by_id_fkey;
alter table console.queries add constraint queries_last_modified_by_id_fkey
  foreign key (last_modified_by_id) references console.users on delete set null;

-- A note is part of its dashboard and stays, without its author.
alter table console.annotations alter column user_id drop not null;
alter table console.annotations drop constraint annotations_user_id_fkey;
alter table console.annotations add constraint annotations_user_id_fkey foreign key (user_id) references console.users on delete set null;

-- A secret address shows data in the name of one user, and ends with them.
alter table console.dashboard_shares drop constraint dashboard_shares_user_id_fkey;
alter table console.dashboard_shares add constraint dashboard_shares_user_id_fkey
  foreign key (user_id) references console.users on delete cascade;
