import { z } from 'zod';
import { defineConnector, QueryError } from './connector.ts';

/**
 * Results of other queries as tables: `query_5`, `cached_query_5`, `param_query_5_{a=1}` (server-behaviour 19). The SQL
 * is DuckDB's. Who may read which result was decided before the text came here.
 */
export const queryResults = defineConnector({
  type: 'results',
  name: 'Query Results',
  dialect: 'duckdb',
  isEmbedded: true,
  supports_auto_limit: false,
  options: z.strictObject({}),
  open: async (_options, { results }) => {
    if (!results) throw new QueryError('There are no results to read here.');
    const { QueryResultsConnection } = await import('./query-results/connection.ts');
    return new QueryResultsConnection(results);
  },
});
