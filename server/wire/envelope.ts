import type { ResultColumn, SharedQueryResult } from '@telltale/domain/results/contract.ts';

type Frame = { prefix: string; suffix: string };

/** All of a result but its rows. A reader by key or token gets one without `query`, `query_hash` and `data_source_id`. */
export type ResultHead = Omit<SharedQueryResult, 'data'> & {
  query?: string;
  query_hash?: string;
  data_source_id?: number;
  data: Omit<SharedQueryResult['data'], 'rows' | 'columns'> & { columns: readonly ResultColumn[] };
};

/**
 * The JSON before and after the rows: `{"query_result":{…,"data":{"columns":[…],"rows":[` and `],…}}}`.
 * `beside` are members next to query_result, such as the finished job (design 4).
 */
export function envelope({ data, ...head }: ResultHead, beside: Record<string, unknown> = {}): Frame {
  const { columns, ...rest } = data;
  const before = JSON.stringify(beside).slice(0, -1);
  const own = JSON.stringify(head).slice(0, -1);
  const tail = JSON.stringify(rest).slice(1);
  return {
    prefix: `${before}${before === '{' ? '' : ','}"query_result":${own}${own === '{' ? '' : ','}"data":{"columns":${JSON.stringify(columns)},"rows":[`,
    suffix: `]${tail === '}' ? '' : ','}${tail}}}`,
  };
}
