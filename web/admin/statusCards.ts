import type { SystemStatus } from '@telltale/domain/admin/contract.ts';

/** "queries_count" → "Queries Count". */
export const humanised = (key: string): string =>
  key
    .split('_')
    .filter(Boolean)
    .map((word) => word.charAt(0).toUpperCase() + word.slice(1))
    .join(' ');

/** A2: General lists the remaining status entries; entries with a card of their own, or without a value, are left out. */
export function generalEntries(status: SystemStatus): [label: string, value: string][] {
  return Object.entries(status).flatMap(([key, value]): [string, string][] => {
    if (typeof value === 'number') return [[humanised(key), value.toLocaleString('en')]];
    return typeof value === 'string' ? [[humanised(key), value]] : [];
  });
}

/** Unix seconds as text, as the server sends them (server-behaviour 23.1). */
export const timeOfSeconds = (seconds: string | undefined): string | null => {
  const at = seconds === undefined ? Number.NaN : Number(seconds) * 1000;
  return Number.isFinite(at) ? new Date(at).toISOString() : null;
};
