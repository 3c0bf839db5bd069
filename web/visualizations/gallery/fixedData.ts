import type { ColumnType, ResultColumn, ResultRow } from '@telltale/domain/results/contract.ts';

/** Fixed data for gallery cases. */
export const column = (name: string, type: ColumnType): ResultColumn => ({ name, friendly_name: name, type });
export const rowsOf = (count: number, make: (at: number) => ResultRow): ResultRow[] => Array.from({ length: count }, (_, at) => make(at));

/** A pseudo-random number between 0 and 1. */
export const wave = (at: number) => Math.sin(at * 12.9898) * 43758.5453 - Math.floor(Math.sin(at * 12.9898) * 43758.5453);
export const moment = (at: number) => new Date(Date.UTC(2024, 1, 9, 7) + at * 61_000).toISOString();
export const day = (at: number) => new Date(Date.UTC(2024, 1, 1 + at)).toISOString().slice(0, 10);
export const rooms = ['boiler house', 'cold store', 'green house 2', 'roof', 'loading bay'];
