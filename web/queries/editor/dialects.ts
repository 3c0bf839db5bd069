import type { Dialect } from '@telltale/domain/sql/dialect.ts';

/** How the server reads the texts of a kind of source (server/connectors): where a statement ends depends on it. */
const dialectByType: Record<string, Dialect> = {
  telltale: 'postgres',
  pg: 'postgres',
  cockroach: 'postgres',
  timescale: 'postgres',
  mysql: 'mysql',
  rds_mysql: 'mysql',
  sqlite: 'sqlite',
  duckdb: 'duckdb',
  results: 'duckdb',
  clickhouse: 'clickhouse',
};

export const dialectOf = (type: string | undefined): Dialect => dialectByType[type ?? ''] ?? 'generic';
