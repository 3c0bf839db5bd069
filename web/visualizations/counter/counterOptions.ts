import { z } from 'zod';
import type { OptionsSource } from '../define.ts';
import { firstColumn, isNumeric } from '../firstColumn.ts';
import { maybeFlag, maybeText, textOption, wholeOption } from '../optionTypes.ts';

/** visualizations 6. */
const Saved = z.looseObject({
  counterLabel: textOption(''),
  counterColName: maybeText,
  rowNumber: wholeOption(1),
  targetColName: maybeText,
  targetRowNumber: wholeOption(1),
  countRow: maybeFlag,
  /** Null or NaN means three decimals, where there are no separators either. */
  stringDecimal: z
    .union([z.number(), z.null(), z.string().transform((text) => (text.trim() === '' ? null : Number(text)))])
    .default(0)
    .catch(0),
  stringDecChar: textOption('.'),
  stringThouSep: textOption(','),
  stringPrefix: maybeText,
  stringSuffix: maybeText,
  formatTargetValue: maybeFlag,
  tooltipFormat: textOption('0,0.000'),
});
export type CounterOptions = z.infer<typeof Saved> & { counterColName: string };

/** Without a choice the counter takes `counter`, or the first column of numbers (complaint 35). */
export const counterOptions = ({ columns }: OptionsSource): z.ZodType<CounterOptions> =>
  Saved.transform((saved) => ({ ...saved, counterColName: saved.counterColName ?? firstMapping(columns) }));

const firstMapping = (columns: OptionsSource['columns']): string =>
  firstColumn(columns, { name: 'counter', fits: isNumeric }) ?? firstColumn(columns, {}) ?? 'counter';
