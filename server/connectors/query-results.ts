import { z } from 'zod';
import { defineConnector, QueryError } from './connector.ts';
import { duckdbDriver } from './drivers.ts';

/**
 * Results of other queries as tables: `query_5`, `cached_query_5`, `param_query_5_{a=1}` (server-behaviour 19). The SQL dialect is
 * DuckDB's. Access to the results is checked before the text arrives here.
 */
export const queryResults = defineConnector({
  type: 'results',
  name: 'Query Results',
  dialect: 'duckdb',
  driver: duckdbDriver,
  isEmbedded: true,
  isFolderReadOnly: true,
  supports_auto_limit: false,
  options: z.strictObject({}),
  open: async (_options, { results }) => {
    if (!results) throw new QueryError('There are no results to read here.');
    const { QueryResultsConnection } = await import('./query-results/connection.ts');
    return new QueryResultsConnection(results);
  },
});
