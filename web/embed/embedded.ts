import type { ReplyOf } from '@telltale/domain/endpoint.ts';
import type { queriesApi } from '@telltale/domain/queries/contract.ts';

/** The members of a query that both key readers and users get. */
export type EmbeddedQuery = ReplyOf<(typeof queriesApi)['get']>;
export type EmbeddedVisualization = EmbeddedQuery['visualizations'][number];
