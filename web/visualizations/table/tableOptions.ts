import { z } from 'zod';
import { type ColumnOptions, reconcileColumns, SavedColumns } from '../columns/columnOptions.ts';
import type { OptionsSource } from '../define.ts';

/** visualizations 4.8. */
export const pageSizes = [5, 10, 15, 20, 25, 50, 100, 150, 200, 250, 500];
/** Design 8: all rows on one page. A number that old clients understand, too. */
export const allRows = 1_000_000_000;
export const isAllRows = (itemsPerPage: number): boolean => itemsPerPage >= 1_000_000;

/** What is stored, whatever its age. */
export const SavedTableOptions = z.looseObject({
  itemsPerPage: z.number().int().min(1).catch(25),
  columns: SavedColumns,
});
export type SavedTableOptions = z.infer<typeof SavedTableOptions>;

export type TableOptions = Omit<SavedTableOptions, 'columns'> & { itemsPerPage: number; columns: ColumnOptions[] };

export const repairTableOptions = (saved: SavedTableOptions, { columns, settings }: OptionsSource): TableOptions => ({
  ...saved,
  columns: reconcileColumns(columns, saved.columns, settings),
});
