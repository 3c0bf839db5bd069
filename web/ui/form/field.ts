import type { ReactNode } from 'react';

/** A5: the types of fields. `content` is drawn as it is and never sent. */
export type FieldType =
  | 'text'
  | 'email'
  | 'password'
  | 'number'
  | 'checkbox'
  | 'select'
  | 'multi-select'
  | 'tags'
  | 'textarea'
  | 'secret-area'
  | 'file'
  | 'content';

export type Choice = string | number;
export type FieldValue = string | number | boolean | Choice[] | null | undefined;
export type FormValues = Record<string, FieldValue>;

export interface FieldOption {
  value: Choice;
  name: string;
}

export interface Field {
  name: string;
  title: string;
  type: FieldType;
  initialValue?: FieldValue;
  required?: boolean;
  minLength?: number;
  /** The range of a number. */
  range?: { min: number; max: number };
  isWhole?: boolean;
  placeholder?: string;
  options?: readonly FieldOption[];
  /** A sentence under the field. */
  info?: ReactNode;
  /** Folded under "Additional Settings". */
  extra?: boolean;
  readOnly?: boolean;
  autoFocus?: boolean;
  autoComplete?: string;
  /** The content of a `content` field. */
  content?: ReactNode;
  /** A rule of its own, checked after the common ones. */
  fault?: (value: FieldValue, values: FormValues) => string | null;
}

export function initialValues(fields: readonly Field[]): FormValues {
  return Object.fromEntries(fields.filter((field) => field.type !== 'content').map((field) => [field.name, field.initialValue]));
}

export function isEmptyValue(value: FieldValue): boolean {
  if (value === undefined || value === null) return true;
  if (typeof value === 'string') return value.trim() === '';
  return Array.isArray(value) && value.length === 0;
}

/** Filling a field and emptying it again is no change. */
const isSameValue = (a: FieldValue, b: FieldValue): boolean => JSON.stringify(plain(a)) === JSON.stringify(plain(b));
const plain = (value: FieldValue) => (value === undefined || value === '' || (Array.isArray(value) && value.length === 0) ? null : value);

export const isDirty = (before: FormValues, now: FormValues): boolean =>
  Object.keys({ ...before, ...now }).some((name) => !isSameValue(before[name], now[name]));
