import type { Field, FieldValue } from './field.ts';

/** What every kind of input gets. */
export interface ControlProps {
  id: string;
  field: Field;
  value: FieldValue;
  onChange: (value: FieldValue) => void;
  /** Red, with its icon; the words stand below. */
  isFaulty: boolean;
  /** Changed and fine. */
  isGood: boolean;
  /** The element that explains it: its fault or its sentence. */
  describedBy: string | undefined;
}

export const textOf = (value: FieldValue): string => (value === undefined || value === null ? '' : String(value));
