import type { Dialect } from '@telltale/domain/sql/dialect.ts';
import { format, type SqlLanguage } from 'sql-formatter';

const languages: Record<Dialect, SqlLanguage> = {
  postgres: 'postgresql',
  mysql: 'mysql',
  sqlite: 'sqlite',
  duckdb: 'duckdb',
  clickhouse: 'clickhouse',
  generic: 'sql',
};

/** server-behaviour 7.17: keywords in capitals, a line for each item; parameters stay as they are. */
export function formatSql(query: string, dialect: Dialect): string {
  const written = (language: SqlLanguage) =>
    format(query, {
      language,
      keywordCase: 'upper',
      paramTypes: { custom: [{ regex: String.raw`\{\{\{[^{}]*\}\}\}|\{\{[^{}]*\}\}` }] },
    });
  try {
    return written(languages[dialect]);
  } catch (error) {
    // What one dialect does not know may still be plain SQL; if it is not, the first fault is the one that says most.
    if (dialect === 'generic') throw error;
    try {
      return written('sql');
    } catch {
      throw error;
    }
  }
}

/** Numbers stay as they were written, and a bare parameter counts as a value. */
export function formatJson(query: string): string {
  const bare = /"(?:[^"\\]|\\.)*"|\{\{\{?[^{}]*\}\}\}?/g;
  const parameters: string[] = [];
  const mark = (i: number) => `\ue000${i}\ue001`;
  const text = query.replace(bare, (part) => {
    if (part.startsWith('"')) return part;
    parameters.push(part);
    return JSON.stringify(mark(parameters.length - 1));
  });
  const parsed: unknown = JSON.parse(text, (_, value: unknown, context: { source?: string } = {}) =>
    typeof value === 'number' && context.source ? JSON.rawJSON(context.source) : value,
  );
  return JSON.stringify(parsed, null, 2).replace(/"\ue000(\d+)\ue001"/g, (_, i: string) => parameters[Number(i)] ?? '');
}
