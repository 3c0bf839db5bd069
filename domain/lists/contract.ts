import { z } from 'zod';

/** The API's default page size (server-behaviour 1.2), and the largest; our pages request 20. */
const defaultPageSize = 25;
export const largestPageSize = 250;

/** A whole number or the fallback: invalid numbers have never been an error here (server-behaviour 1.2). */
const wholeOr = <F extends number | undefined>(fallback: F) =>
  z
    .union([z.string(), z.number()])
    .optional()
    .transform((value): number | F => {
      const text = String(value ?? '').trim();
      return /^[+-]?\d{1,15}$/.test(text) ? Number(text) : fallback;
    });

const oneOrMany = z
  .union([z.string(), z.array(z.string())])
  .optional()
  .transform((value): string[] => (value === undefined ? [] : Array.isArray(value) ? value : [value]));

/** Q7: list endpoints take page, page_size, order, q and tags. */
export const ListParams = z.object({
  page: wholeOr(1),
  page_size: wholeOr(defaultPageSize),
  order: z.string().max(100).optional(),
  q: z.string().max(1000).optional(),
  tags: oneOrMany,
});
export type ListParams = z.output<typeof ListParams>;

/** Lists that are bare arrays unless a page is requested (design 8). */
export const ArrayListParams = ListParams.extend({ page: wholeOr(undefined) });
export type ArrayListParams = z.output<typeof ArrayListParams>;

export const page = <T extends z.ZodType>(item: T) =>
  z.object({ count: z.int(), page: z.int(), page_size: z.int(), results: z.array(item) });

export interface Page<T> {
  count: number;
  page: number;
  page_size: number;
  results: T[];
}

/** A bare array, or a page on request. */
export const listOf = <T extends z.ZodType>(item: T) => z.union([z.array(item), page(item)]);
