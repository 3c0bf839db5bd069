-- Clients send the version they once created an object with. Whoever made every edit since then overwrites nobody (design 8): `own_base` is the
-- version before the first of the last editor's edits in a row. Of older objects only the last edit is known.
alter table dashboards add column last_modified_by_id int references users on delete set null;
update dashboards set last_modified_by_id = user_id where version = 1;
alter table dashboards add column own_base int not null default 0;
update dashboards set own_base = version - 1;
alter table queries add column own_base int not null default 0;
update queries set own_base = version - 1;
