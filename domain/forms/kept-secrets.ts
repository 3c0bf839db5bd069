import type { z } from 'zod';
import { addressFieldsOf, type FieldSet, typeSchemaOf } from './fields.ts';
import { secretMask } from './type-schema.ts';

export type WithKeptSecrets = { options: Record<string, unknown> } | { error: string };

/** The target of a secret with these options: equal values mean the same target. */
export type PlaceOf = (secret: string, options: Record<string, unknown>) => unknown;

/**
 * design 8: a stored secret that comes back as dashes is kept, but only for the address that it was saved for: by changing the host, port
 * or URL, a user who cannot read the secret could have it sent elsewhere. Null and empty options mean "not given".
 */
export function withKeptSecrets(
  fields: FieldSet,
  given: Record<string, unknown>,
  stored: Record<string, unknown> = {},
  placeOf?: PlaceOf,
): WithKeptSecrets {
  const { secret = [], properties } = typeSchemaOf(fields);
  const kept = secret.filter((name) => given[name] === secretMask && isGiven(stored[name]));
  const entries = Object.entries(given).map(([name, value]) => [
    name,
    secret.includes(name) && value === secretMask ? stored[name] : value,
  ]);
  const options = Object.fromEntries(entries.filter(([, value]) => isGiven(value))) as Record<string, unknown>;
  const titleOf = (name: string) => properties[name]?.title ?? name;
  if (placeOf) {
    const moved = kept.filter((name) => JSON.stringify(placeOf(name, options)) !== JSON.stringify(placeOf(name, stored)));
    return moved.length === 0 ? { options } : { error: `Enter ${moved.map(titleOf).join(' and ')} again: ${onlyThere}` };
  }
  // A field that is left out has its default, so its absence is no change.
  const moved = addressFieldsOf(fields).filter((name) => parsedOption(fields, name, options) !== parsedOption(fields, name, stored));
  const [field] = moved;
  if (kept.length === 0 || field === undefined) return { options };
  const secrets = kept.map(titleOf).join(', ');
  return { error: `${titleOf(field)} was changed. Enter ${secrets} again: ${onlyThere}` };
}

const onlyThere = 'a stored secret is sent only to the address it was saved for.';

const isGiven = (value: unknown) => value !== null && value !== undefined && value !== '';

/** The option as text, so that 5432 and "5432" are the same port; the schema refuses invalid values later. */
function parsedOption(fields: FieldSet, name: string, options: Record<string, unknown>): string {
  const parsed = (fields.shape[name] as z.ZodType | undefined)?.safeParse(options[name]);
  return JSON.stringify(parsed?.success ? parsed.data : options[name]) ?? '';
}
