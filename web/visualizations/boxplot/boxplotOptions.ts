import { z } from 'zod';

export interface BoxplotOptions {
  xAxisLabel?: string | undefined;
  yAxisLabel?: string | undefined;
  [unknown: string]: unknown;
}

const label = z.string().optional().catch(undefined);

/** visualizations 16. */
export const boxplotOptions: z.ZodType<BoxplotOptions> = z.looseObject({ xAxisLabel: label, yAxisLabel: label });
