import { z } from 'zod';
import type { OptionsSource } from '../define.ts';
import { firstColumn, isNumeric } from '../firstColumn.ts';
import { numberOption, textOption, wholeOption } from '../optionTypes.ts';

const end = z.union([z.number(), z.string().trim().min(1).transform(Number)]).pipe(z.number());
type Range = [empty: number, full: number];
const usualRange: Range = [0, 100];

/** Empty and full; older shapes named the ends. */
const Range = z
  .union([
    z.tuple([end, end]),
    z.object({ min: end, max: end }).transform(({ min, max }): Range => [min, max]),
    z.object({ start: end, end }).transform(({ start, end: last }): Range => [start, last]),
  ])
  .default(usualRange)
  .catch(usualRange);

const colorsOf = { low: '#E92828', medium: '#FB8D3D', high: '#3BD973' };
const Colors = z
  .looseObject({ low: textOption(colorsOf.low), medium: textOption(colorsOf.medium), high: textOption(colorsOf.high) })
  .default(colorsOf)
  .catch(colorsOf);

/** visualizations 17; `channelid` and `device_ids` are kept like every unknown key. */
const Saved = z.looseObject({
  range: Range,
  valueColumn: z.string().nullable().optional().catch(undefined),
  rowNumber: wholeOption(1),
  label: textOption(''),
  numberFormat: textOption('0[.]0'),
  suffix: textOption('%'),
  lowThreshold: numberOption(20),
  mediumThreshold: numberOption(50),
  colors: Colors,
});
export type BatteryOptions = z.infer<typeof Saved> & { valueColumn: string | null };

export const batteryOptions = ({ columns }: OptionsSource): z.ZodType<BatteryOptions> =>
  Saved.transform((saved) => ({ ...saved, valueColumn: saved.valueColumn ?? firstColumn(columns, { fits: isNumeric }) }));

/** Q5: a range whose two ends are equal is flagged. */
export const rangeFault = ({ range: [empty, full] }: Pick<BatteryOptions, 'range'>): string | null =>
  empty === full ? 'Range start and end must differ' : null;
