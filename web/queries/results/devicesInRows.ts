import type { QueryResult } from '@telltale/domain/results/contract.ts';

type Data = Pick<QueryResult['data'], 'columns' | 'rows'>;

/** A device named by rows of a result. Without a column `channel_id` its channel has to be chosen. */
export interface RowDevice {
  channel_id: string | null;
  device_id: string;
  /** A summary of the other cells of its first row. */
  summary: string;
  rows: number;
}

const mostColumns = 4;
const longestValue = 40;

export const carriesDevices = ({ columns }: Data): boolean => columns.some(({ name }) => name === 'device_id');

/** Each device once, in the order of the rows. */
export function devicesInRows({ columns, rows }: Data): RowDevice[] {
  const others = columns.filter(({ name }) => name !== 'device_id' && name !== 'channel_id').slice(0, mostColumns);
  const found = new Map<string, RowDevice>();
  for (const row of rows) {
    const device_id = textOf(row.device_id);
    if (device_id === '') continue;
    const channel_id = textOf(row.channel_id) || null;
    const key = `${channel_id ?? ''}/${device_id}`;
    const known = found.get(key);
    if (known) known.rows++;
    else found.set(key, { channel_id, device_id, rows: 1, summary: others.map(({ name }) => `${name} ${short(row[name])}`).join(', ') });
  }
  return [...found.values()];
}

const textOf = (value: unknown): string => (typeof value === 'string' || typeof value === 'number' ? String(value).trim() : '');

function short(value: unknown): string {
  const text = value === null || value === undefined ? '–' : typeof value === 'object' ? JSON.stringify(value) : String(value);
  return text.length > longestValue ? `${text.slice(0, longestValue)}…` : text;
}
