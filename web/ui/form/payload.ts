import { type Field, type FieldValue, type FormValues, isEmptyValue } from './field.ts';

/** Blanks around an address or a name are an accident; a value that is only blanks (a separator) is meant. */
const tidy = (text: string): string => text.trim() || text;

function sentValue(field: Field, value: FieldValue): FieldValue {
  if (field.type === 'checkbox') return value === true;
  if (field.type === 'multi-select' || field.type === 'tags') return Array.isArray(value) ? value : [];
  // screens 12.1: emptied is '', never filled is null.
  if (value === undefined || value === null || value === '') return isEmptyValue(field.initialValue) ? null : '';
  if (field.type === 'number') return Number(value);
  if ((field.type === 'text' || field.type === 'email') && typeof value === 'string') return tidy(value);
  return value;
}

/** What a form sends: every field that can be typed in, by name. */
export function payloadOf(fields: readonly Field[], values: FormValues): FormValues {
  return Object.fromEntries(
    fields
      .filter((field) => field.type !== 'content' && !field.readOnly)
      .map((field) => [field.name, sentValue(field, values[field.name])]),
  );
}

/** The form of a data source or destination: its name beside the options of its kind. */
export function nameAndOptions({ name, ...options }: FormValues): { name: string; options: FormValues } {
  return { name: String(name ?? ''), options };
}
