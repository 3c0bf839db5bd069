import type { Field, FieldValue } from './field.ts';

/** The props of every kind of input. */
export interface ControlProps {
  id: string;
  field: Field;
  value: FieldValue;
  onChange: (value: FieldValue) => void;
  /** Shown red, with an icon; the message stands below. */
  isFaulty: boolean;
  /** The value was changed and is valid. */
  isGood: boolean;
  /** The id of the element that describes it: its fault or its info. */
  describedBy: string | undefined;
}

export const textOf = (value: FieldValue): string => (value === undefined || value === null ? '' : String(value));
