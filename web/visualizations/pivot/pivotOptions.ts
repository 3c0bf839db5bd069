import { z } from 'zod';
import type { OptionsSource } from '../define.ts';
import { isNumeric } from '../firstColumn.ts';
import { flagOption, wholeOption } from '../optionTypes.ts';
import { aggregatorNames } from './data/aggregators.ts';

export const rendererNames = [
  'Table',
  'Table Heatmap',
  'Table Col Heatmap',
  'Table Row Heatmap',
  'Exportable TSV',
  'Grouped Column Chart',
  'Stacked Column Chart',
  'Grouped Bar Chart',
  'Stacked Bar Chart',
  'Line Chart',
  'Dot Chart',
  'Area Chart',
  'Scatter Chart',
  'Multiple Pie Chart',
] as const;
export type RendererName = (typeof rendererNames)[number];

export const orders = ['key_a_to_z', 'value_a_to_z', 'value_z_to_a'] as const;
export type Order = (typeof orders)[number];

const names = z
  .array(z.unknown())
  .transform((all) => [...new Set(all.filter((one) => typeof one === 'string'))])
  .default([])
  .catch([]);
/** Excluded values, by attribute. */
const ValueFilter = z.record(z.string(), z.record(z.string(), z.boolean()).catch({})).default({}).catch({});
/** Older versions stored lists of excluded values. */
const Exclusions = z.record(z.string(), z.array(z.coerce.string()).catch([])).optional().catch(undefined);
const totals = { colTotals: true, rowTotals: true };

/** visualizations 12. `controls.enabled` is inverted: true hides them. */
const Saved = z.looseObject({
  controls: z
    .looseObject({ enabled: flagOption(false) })
    .optional()
    .catch(undefined),
  rendererOptions: z
    .looseObject({
      table: z
        .looseObject({ colTotals: flagOption(true), rowTotals: flagOption(true) })
        .prefault({})
        .catch(totals),
    })
    .prefault({})
    .catch({ table: totals }),
  rows: names,
  cols: names,
  vals: names,
  aggregatorName: z.enum(aggregatorNames).default('Count').catch('Count'),
  rendererName: z.enum(rendererNames).default('Table').catch('Table'),
  valueFilter: ValueFilter,
  exclusions: Exclusions,
  rowOrder: z.enum(orders).default('key_a_to_z').catch('key_a_to_z'),
  colOrder: z.enum(orders).default('key_a_to_z').catch('key_a_to_z'),
  hiddenAttributes: names,
  hiddenFromAggregators: names,
  hiddenFromDragDrop: names,
  menuLimit: wholeOption(500),
  unusedOrientationCutoff: wholeOption(85),
});
type SavedPivot = z.infer<typeof Saved>;
export interface PivotOptions extends SavedPivot {
  controls: { enabled: boolean };
}

/** A new pivot counts the rows by the first column that is not a number (complaint 35); one saved without rows has none. */
export const pivotOptions = ({ columns }: OptionsSource): z.ZodType<PivotOptions> =>
  Saved.transform((saved) => {
    const isNew = saved.controls === undefined && saved.rows.length === 0 && saved.cols.length === 0;
    const first = columns.find((column) => !isNumeric(column))?.name;
    return {
      ...saved,
      controls: saved.controls ?? { enabled: false },
      rows: isNew && first !== undefined ? [first] : saved.rows,
      valueFilter: Object.keys(saved.valueFilter).length > 0 ? saved.valueFilter : fromExclusions(saved.exclusions),
    };
  });

const fromExclusions = (exclusions: SavedPivot['exclusions'] = {}): SavedPivot['valueFilter'] =>
  Object.fromEntries(
    Object.entries(exclusions)
      .filter(([, values]) => values.length > 0)
      .map(([attribute, values]) => [attribute, Object.fromEntries(values.map((value) => [value, true]))]),
  );

/** The attributes to drag, pick or filter; a column that the result lacks stays stored but is not used. */
export function attributesOf({ columns }: Pick<OptionsSource, 'columns'>, options: PivotOptions) {
  const all = columns.map(({ name }) => name).filter((name) => !options.hiddenAttributes.includes(name));
  const rows = options.rows.filter((name) => all.includes(name));
  const cols = options.cols.filter((name) => all.includes(name) && !rows.includes(name));
  const movable = all.filter((name) => !options.hiddenFromDragDrop.includes(name));
  const unused = movable.filter((name) => !rows.includes(name) && !cols.includes(name));
  const values = all.filter((name) => !options.hiddenFromAggregators.includes(name));
  return { all, rows, cols, unused, values };
}
