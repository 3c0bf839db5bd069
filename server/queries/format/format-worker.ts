import { parentPort } from 'node:worker_threads';
import type { Dialect } from '@telltale/domain/sql/dialect.ts';
import { formatJson, formatSql } from './format-text.ts';

/** In a thread of its own: there are texts over which the formatter would think for minutes. */
parentPort?.on('message', ({ id, query, dialect }: { id: number; query: string; dialect: Dialect | 'json' }) => {
  try {
    parentPort?.postMessage({ id, text: dialect === 'json' ? formatJson(query) : formatSql(query, dialect) });
  } catch (error) {
    parentPort?.postMessage({ id, fault: error instanceof Error ? error.message : String(error) });
  }
});

// Ready: all of the code is here.
parentPort?.postMessage({ id: 0 });
