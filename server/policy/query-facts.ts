import { sql } from 'kysely';

/** The facts about a query's source that the rules about access need. */
export const sourceFacts = sql`
  (select json_build_object('type', data_sources.type, 'groups', coalesce((
            select json_agg(json_build_object('group_id', group_id, 'view_only', view_only))
            from data_source_groups where data_source_id = data_sources.id), '[]'::json))
   from data_sources where data_sources.id = queries.data_source_id) as source`;
