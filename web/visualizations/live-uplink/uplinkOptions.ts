import { z } from 'zod';
import type { OptionsSource } from '../define.ts';
import { wholeOption } from '../optionTypes.ts';

const id = z.union([z.string(), z.number().transform(String)]);
/** A list; older options have one id, or several separated by commas. */
const ids = z
  .union([z.array(z.unknown()), id.transform((text) => text.split(','))])
  .transform((all) => [...new Set(all.flatMap((one) => (id.safeParse(one).data ?? '').trim() || []))])
  .default([])
  .catch([]);

/** visualizations 18: `channelid` and `device_ids` are spelled as stored. */
const Saved = z.looseObject({
  channelid: id.default('').catch(''),
  device_ids: ids,
  /** The names of the values to show; empty means all. */
  fields: ids,
  maxItems: wholeOption(50).transform((count) => Math.min(500, Math.max(1, count))),
  dateTimeFormat: z.string().optional().catch(undefined),
});
export type UplinkOptions = z.infer<typeof Saved> & { dateTimeFormat: string };

export const uplinkOptions = ({ settings }: OptionsSource): z.ZodType<UplinkOptions> =>
  Saved.transform((saved) => ({ ...saved, dateTimeFormat: saved.dateTimeFormat ?? settings.dateTimeFormat }));
