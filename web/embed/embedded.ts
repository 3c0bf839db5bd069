import type { ReplyOf } from '@telltale/domain/endpoint.ts';
import type { queriesApi } from '@telltale/domain/queries/contract.ts';

/** What a reader by key learns of a query, and everybody else, too. */
export type EmbeddedQuery = ReplyOf<(typeof queriesApi)['get']>;
export type EmbeddedVisualization = EmbeddedQuery['visualizations'][number];
