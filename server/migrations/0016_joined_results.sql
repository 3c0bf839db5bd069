-- W10: what was joined from other results is for those who may see each source that its rows came from, also when the queries in
-- between say something else by now. Results from before do not tell, so they are made anew.
alter table console.query_results add column joined_source_ids integer[] not null default '{}';
delete from console.query_results where data_source_id in (select id from console.data_sources where type = 'results');
