import { parentPort } from 'node:worker_threads';
import type { Dialect } from '@telltale/domain/sql/dialect.ts';
import { formatJson, formatSql } from './format-text.ts';

/** Formats in a thread of its own: some texts keep the formatter busy for minutes. */
parentPort?.on('message', ({ id, query, dialect }: { id: number; query: string; dialect: Dialect | 'json' }) => {
  try {
    parentPort?.postMessage({ id, text: dialect === 'json' ? formatJson(query) : formatSql(query, dialect) });
  } catch (error) {
    parentPort?.postMessage({ id, fault: error instanceof Error ? error.message : String(error) });
  }
});

// Reports that all code is loaded.
parentPort?.postMessage({ id: 0 });
