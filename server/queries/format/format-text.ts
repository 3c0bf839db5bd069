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

/** Strings stay what they are; a number and a bare parameter are values that must come out as they were written. */
const literals = /"(?:[^"\\]|\\.)*"|\{\{\{[^{}]*\}\}\}|\{\{[^{}]*\}\}|-?\d[\d.eE+-]*/g;

export function formatJson(query: string): string {
  const kept: string[] = [];
  const text = query.replace(literals, (part) => (part.startsWith('"') ? part : `"\ue000${kept.push(part) - 1}\ue001"`));
  return JSON.stringify(JSON.parse(text), null, 2).replace(/"\ue000(\d+)\ue001"/g, (mark, i: string) => kept[Number(i)] ?? mark);
}
