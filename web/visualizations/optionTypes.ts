import { z } from 'zod';

/** Parts of stored options. Missing values and values of the wrong kind become the default: one bad key never breaks a picture. */
export const textOption = (initial: string) => z.string().default(initial).catch(initial);
export const flagOption = (initial: boolean) => z.boolean().default(initial).catch(initial);

/** Some editors stored numbers as text. */
const numeric = z.union([z.number(), z.string().trim().min(1).transform(Number)]).pipe(z.number());
export const numberOption = (initial: number) => numeric.default(initial).catch(initial);
export const wholeOption = (initial: number) => numeric.transform(Math.trunc).default(initial).catch(initial);

export const maybeText = z.string().optional().catch(undefined);
export const maybeFlag = z.boolean().optional().catch(undefined);
