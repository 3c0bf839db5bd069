import { z } from 'zod';
import { type ColumnOptions, reconcileColumns, SavedColumns } from '../columns/columnOptions.ts';
import type { OptionsSource } from '../define.ts';
import type { SortItem } from './view/sortState.ts';

/** visualizations 4.8. */
export const pageSizes = [5, 10, 15, 20, 25, 50, 100, 150, 200, 250, 500];
/** Design 8: all rows on one page. A number, so that other clients of the stored options understand it. */
export const allRows = 1_000_000_000;
export const isAllRows = (itemsPerPage: number): boolean => itemsPerPage >= 1_000_000;

/** visualizations 4.1, for the current columns of the query. */
export interface TableOptions {
  itemsPerPage: number;
  columns: ColumnOptions[];
  /** How rows are sorted until the viewer sorts them. */
  sort?: readonly SortItem[] | undefined;
  [unknown: string]: unknown;
}

const Sort = z.object({ name: z.string(), isDescending: z.boolean() });
const Saved = z.looseObject({
  itemsPerPage: z.int().min(1).catch(25),
  columns: SavedColumns,
  sort: z.array(Sort).max(50).optional().catch(undefined),
});

export const tableOptions = ({ columns, settings }: OptionsSource): z.ZodType<TableOptions> =>
  Saved.transform(({ sort, ...saved }) => ({
    ...saved,
    ...(sort && { sort }),
    columns: reconcileColumns(columns, saved.columns, settings),
  }));
