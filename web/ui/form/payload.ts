import type { Field, FieldValue, FormValues } from './field.ts';

/** Blanks around an address or a name are accidental; a value of only blanks (a separator) is intended. */
const tidy = (text: string): string => text.trim() || text;

function sentValue(field: Field, value: FieldValue): FieldValue {
  if (field.type === 'checkbox') return value === true;
  if (field.type === 'multi-select' || field.type === 'tags') return Array.isArray(value) ? value : [];
  // A5: empty optional values are sent as null, emptied ones as well.
  if (value === undefined || value === null || value === '') return null;
  if (field.type === 'number') return Number(value);
  if ((field.type === 'text' || field.type === 'email') && typeof value === 'string') return tidy(value);
  return value;
}

/** The payload of a form: every editable field, by name. */
export function payloadOf(fields: readonly Field[], values: FormValues): FormValues {
  return Object.fromEntries(
    fields
      .filter((field) => field.type !== 'content' && !field.readOnly)
      .map((field) => [field.name, sentValue(field, values[field.name])]),
  );
}

/** Splits the values of a data source or destination into its name and the options of its kind. */
export function nameAndOptions({ name, ...options }: FormValues): { name: string; options: FormValues } {
  return { name: String(name ?? ''), options };
}
