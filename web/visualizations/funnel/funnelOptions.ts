import { z } from 'zod';
import type { OptionsSource } from '../define.ts';
import { firstColumn, isNumeric } from '../firstColumn.ts';
import { flagOption, numberOption, textOption } from '../optionTypes.ts';

/** Undefined means not chosen yet, null means no column. */
const maybeColumn = z.string().nullable().optional().catch(undefined);
const shownColumn = (title: string) =>
  z
    .looseObject({ colName: maybeColumn, displayAs: textOption(title) })
    .prefault({})
    .catch({ displayAs: title });
const percents = { min: 0.01, max: 1000 };

/** visualizations 9. */
const Saved = z.looseObject({
  stepCol: shownColumn('Steps'),
  valueCol: shownColumn('Value'),
  autoSort: flagOption(true),
  sortKeyCol: z
    .looseObject({ colName: maybeColumn, reverse: flagOption(false) })
    .prefault({})
    .catch({ reverse: false }),
  itemsLimit: numberOption(100).transform((limit) => Math.max(2, Math.trunc(limit))),
  percentValuesRange: z
    .looseObject({ min: numberOption(percents.min), max: numberOption(percents.max) })
    .default(percents)
    .catch(percents),
  numberFormat: textOption('0,0[.]00'),
  percentFormat: textOption('0[.]00%'),
});

type SavedFunnel = z.infer<typeof Saved>;
export interface FunnelOptions extends SavedFunnel {
  stepCol: { colName: string | null; displayAs: string };
  valueCol: { colName: string | null; displayAs: string };
  sortKeyCol: { colName: string | null; reverse: boolean };
}

/** Columns that the result lacks count as none; without a choice the first text and the first numbers are taken (complaint 35). */
export const funnelOptions = ({ columns }: OptionsSource): z.ZodType<FunnelOptions> =>
  Saved.transform((saved) => {
    const known = (name: string | null) => (columns.some((column) => column.name === name) ? name : null);
    const value = saved.valueCol.colName === undefined ? firstColumn(columns, { fits: isNumeric }) : known(saved.valueCol.colName);
    const others = { fits: (column: (typeof columns)[number]) => !isNumeric(column), not: [value] };
    const step =
      saved.stepCol.colName === undefined
        ? (firstColumn(columns, others) ?? firstColumn(columns, { not: [value] }))
        : known(saved.stepCol.colName);
    const sortKeyCol = saved.autoSort
      ? { ...saved.sortKeyCol, colName: value, reverse: true }
      : { ...saved.sortKeyCol, colName: known(saved.sortKeyCol.colName ?? null) };
    return {
      ...saved,
      stepCol: { ...saved.stepCol, colName: step },
      valueCol: { ...saved.valueCol, colName: value },
      sortKeyCol,
    };
  });
