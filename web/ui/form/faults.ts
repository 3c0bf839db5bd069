import { secretMask } from '@telltale/domain/forms/type-schema.ts';
import { type Field, type FieldValue, type FormValues, isEmptyValue } from './field.ts';

/** A5: the exact wording. */
export const faultText = {
  required: 'This field is required.',
  short: 'This field is too short.',
  email: 'This field must be a valid email.',
  number: 'This field must be a number.',
  whole: 'This field must be a whole number.',
} as const;

/** The rule of browsers for e-mail inputs: stricter ones refuse addresses that work, such as admin@localhost. */
const emailShape = /^[\w.!#$%&'*+/=?^`{|}~-]+@[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?(?:\.[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?)*$/i;

const typedTypes = new Set(['text', 'email', 'password', 'textarea', 'secret-area']);

export function faultOf(field: Field, value: FieldValue, values: FormValues): string | null {
  if (field.readOnly || field.type === 'content') return null;
  if (isEmptyValue(value)) return field.required && field.type !== 'checkbox' ? faultText.required : null;
  // The dashes of a saved secret stand for a value that was checked when it was saved.
  if (value === secretMask) return null;
  const text = typeof value === 'string' ? value : '';
  if (field.minLength !== undefined && typedTypes.has(field.type) && text.length < field.minLength) return faultText.short;
  if (field.type === 'email' && !emailShape.test(text.trim())) return faultText.email;
  const numberFault = field.type === 'number' ? numberFaultOf(field, Number(value)) : null;
  if (numberFault) return numberFault;
  return field.fault?.(value, values) ?? null;
}

function numberFaultOf({ range, isWhole }: Field, value: number): string | null {
  if (!Number.isFinite(value)) return faultText.number;
  if (range && (value < range.min || value > range.max)) return `This field must be between ${range.min} and ${range.max}.`;
  return isWhole && !Number.isInteger(value) ? faultText.whole : null;
}

/** Messages by field name, only for fields with a fault, in the order of the form. */
export function faultsOf(fields: readonly Field[], values: FormValues): Map<string, string> {
  const faults = new Map<string, string>();
  for (const field of fields) {
    const fault = faultOf(field, values[field.name], values);
    if (fault !== null) faults.set(field.name, fault);
  }
  return faults;
}
