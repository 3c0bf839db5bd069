import { clickhouse } from './dialects/clickhouse.ts';
import { duckdb } from './dialects/duckdb.ts';
import { generic } from './dialects/generic.ts';
import { mysql } from './dialects/mysql.ts';
import { postgres } from './dialects/postgres.ts';
import type { DialectRules } from './dialects/rules.ts';
import { sqlite } from './dialects/sqlite.ts';

/** The families of SQL that our sources speak; `generic` is any other. One more is one file in `dialects/` and one word here. */
const families = { postgres, mysql, sqlite, duckdb, clickhouse, generic };

export type Dialect = keyof typeof families;
export const dialects = Object.keys(families) as Dialect[];

/** The rules of a dialect. */
export const rulesOf = (dialect: Dialect): DialectRules => families[dialect];

/** Adds a dialect; the returned function removes it again. Only tests need this: a real one is a file and a word above. */
export function addDialect(name: Dialect, rules: DialectRules): () => void {
  const open: Partial<Record<string, DialectRules>> = families;
  open[name] = rules;
  return () => void delete open[name];
}
