-- Who ran a result, and which saved queries it is or was a result of: whoever may only look at a source reads by number what they
-- ran or what such a query shows, not the ad hoc runs of others. Older results tell neither, so those with full access read them,
-- and everybody those that a query still shows.
alter table console.query_results add column user_ids integer[] not null default '{}';
alter table console.query_results add column query_ids integer[] not null default '{}';
