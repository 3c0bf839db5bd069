import { type Dialect, rulesOf } from '@telltale/domain/sql/dialect.ts';
import { format, type SqlLanguage } from 'sql-formatter';

/** server-behaviour 7.17: keywords in capitals, a line for each item; parameters stay as they are. */
export function formatSql(query: string, dialect: Dialect): string {
  const written = (language: string) =>
    format(query, {
      language: language as SqlLanguage,
      keywordCase: 'upper',
      paramTypes: { custom: [{ regex: String.raw`\{\{\{[^{}]*\}\}\}|\{\{[^{}]*\}\}` }] },
    });
  try {
    return written(rulesOf(dialect).formatter);
  } catch (error) {
    // A text that one dialect rejects may still be plain SQL; if it is not, the first fault is the most telling.
    if (dialect === 'generic') throw error;
    try {
      return written('sql');
    } catch {
      throw error;
    }
  }
}

/** Literals to keep: strings, numbers and bare parameters must come out as they were written. */
const literals = /"(?:[^"\\]|\\.)*"|\{\{\{[^{}]*\}\}\}|\{\{[^{}]*\}\}|-?\d[\d.eE+-]*/g;

export function formatJson(query: string): string {
  const kept: string[] = [];
  const text = query.replace(literals, (part) => (part.startsWith('"') ? part : `"\ue000${kept.push(part) - 1}\ue001"`));
  return JSON.stringify(JSON.parse(text), null, 2).replace(/"\ue000(\d+)\ue001"/g, (mark, i: string) => kept[Number(i)] ?? mark);
}
