import { z } from 'zod';
import { type ColumnOptions, reconcileColumns, SavedColumns } from '../columns/columnOptions.ts';
import type { OptionsSource } from '../define.ts';

/** visualizations 7: columns as in a table, but left-aligned unless changed. */
export interface DetailsOptions {
  columns: ColumnOptions[];
  [unknown: string]: unknown;
}

const Saved = z.looseObject({ columns: SavedColumns });

export const detailsOptions = ({ columns, settings }: OptionsSource): z.ZodType<DetailsOptions> =>
  Saved.transform((saved) => {
    const aligned = new Map(saved.columns.map(({ name, alignContent }) => [name, alignContent]));
    const reconciled = reconcileColumns(columns, saved.columns, settings);
    return { ...saved, columns: reconciled.map((column) => ({ ...column, alignContent: aligned.get(column.name) ?? 'left' })) };
  });
