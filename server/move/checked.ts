import { z } from 'zod';
import { invalid } from '../platform/errors.ts';
import { faultText } from '../platform/http/parse.ts';

/** Checks an object against the contract of the call that creates such objects, as if a caller had sent it. */
export function checked<S extends z.ZodType>(shape: S, given: unknown): z.output<S> {
  const parsed = shape.safeParse(given);
  if (!parsed.success) throw invalid(parsed.error.issues[0]?.message ?? 'It cannot be read.');
  return parsed.data;
}

/** Takes the settings that the contract allows; each of the others gets a reason. All settings of the shape are optional. */
export function checkedSettings<S extends z.ZodObject>(
  shape: S,
  given: Record<string, unknown> = {},
): { settings: z.output<S>; faults: string[] } {
  const { error } = shape.safeParse(given);
  const faulty = new Map<string, string>();
  for (const issue of error?.issues ?? []) {
    const name = String(issue.path[0]);
    if (!faulty.has(name)) faulty.set(name, `The setting ${name} was not taken over. ${faultText(new z.ZodError([issue]))}`);
  }
  const settings = Object.fromEntries(Object.entries(given).filter(([name]) => !faulty.has(name)));
  return { settings: shape.parse(settings), faults: [...faulty.values()] };
}
