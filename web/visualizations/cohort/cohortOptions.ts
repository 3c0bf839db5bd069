import { z } from 'zod';
import type { OptionsSource } from '../define.ts';
import { firstColumn, isMoment, isNumeric } from '../firstColumn.ts';
import { flagOption, maybeText, textOption, wholeOption } from '../optionTypes.ts';

const intervals = ['daily', 'weekly', 'monthly'] as const;
export type Interval = (typeof intervals)[number];
const modes = ['diagonal', 'simple'] as const;
export const usualColors = { min: '#ffffff', max: '#002FB4', steps: 7 };

/** visualizations 8. */
const Saved = z.looseObject({
  timeInterval: z.enum(intervals).default('daily').catch('daily'),
  mode: z.enum(modes).default('diagonal').catch('diagonal'),
  dateColumn: maybeText,
  stageColumn: maybeText,
  totalColumn: maybeText,
  valueColumn: maybeText,
  showTooltips: flagOption(true),
  percentValues: flagOption(true),
  timeColumnTitle: textOption('Time'),
  peopleColumnTitle: textOption('Users'),
  stageColumnTitle: textOption('{{ @ }}'),
  numberFormat: textOption('0,0[.]00'),
  percentFormat: textOption('0.00%'),
  noValuePlaceholder: textOption('-'),
  colors: z
    .looseObject({
      min: textOption(usualColors.min),
      max: textOption(usualColors.max),
      steps: wholeOption(usualColors.steps).transform((steps) => Math.min(100, Math.max(2, steps))),
    })
    .prefault({})
    .catch(usualColors),
});
type SavedCohort = z.infer<typeof Saved>;
export interface CohortOptions extends SavedCohort {
  dateColumn: string;
  stageColumn: string;
  totalColumn: string;
  valueColumn: string;
}

/** Without a choice: the usual names, or the first date and the first three columns of numbers (complaint 35). */
export const cohortOptions = ({ columns }: OptionsSource): z.ZodType<CohortOptions> =>
  Saved.transform((saved) => {
    const dateColumn = saved.dateColumn ?? firstColumn(columns, { name: 'date', fits: isMoment }) ?? 'date';
    const taken: string[] = [];
    const numbers = (chosen: string | undefined, name: string): string => {
      const column = chosen ?? firstColumn(columns, { name, fits: isNumeric, not: taken }) ?? name;
      taken.push(column);
      return column;
    };
    const stageColumn = numbers(saved.stageColumn, 'day_number');
    const totalColumn = numbers(saved.totalColumn, 'total');
    return { ...saved, dateColumn, stageColumn, totalColumn, valueColumn: numbers(saved.valueColumn, 'value') };
  });
