import type { TestReply } from '@telltale/domain/data-sources/contract.ts';
import { ApiError } from '../api/ApiError.ts';
import { faultsOf } from '../ui/form/faults.ts';
import { type Field, type FormValues, initialValues, isDirty } from '../ui/form/field.ts';
import { payloadOf } from '../ui/form/payload.ts';

/** The texts of a test. */
export interface TestText {
  button: string;
  success: string;
  failed: string;
  unknown: string;
  /** The hint beside the button: which settings a click tests. */
  storedHint: string;
  typedHint: string;
  /** The text below "Success". */
  storedWorks: string;
  typedWorks: string;
}

/** A8: success, failed and unknown are its exact wording. */
export const testText = {
  button: 'Test Connection',
  success: 'Success',
  /** Ours (security 6). */
  warning: 'More rights than needed',
  failed: 'Connection Test Failed:',
  unknown: 'Unknown error occurred while performing connection test. Please try again later.',
  storedHint: 'Tests the saved settings.',
  typedHint: 'Tests the settings as typed, without saving.',
  storedWorks: 'The saved settings work.',
  typedWorks: 'The settings work as typed. They are not saved yet.',
} as const;

/** The settings to test: the stored ones of a source, or those in the form (complaint 59). */
export type TestPlan = { tries: 'saved' } | { tries: 'typed'; options: FormValues } | { tries: 'nothing'; firstFault: Field };

/** The name is no part of a connection: it may be missing, and changing it needs no test. */
const optionFields = (fields: readonly Field[]) => fields.filter(({ name }) => name !== 'name');

/** Compares the values as they would be sent: a port typed back to its old value is no change. */
export function hasTypedOptions(fields: readonly Field[], form: { values: FormValues; isDirty: boolean }): boolean {
  if (!form.isDirty) return false;
  const asked = optionFields(fields);
  return isDirty(payloadOf(asked, initialValues(asked)), payloadOf(asked, form.values));
}

export function testPlan(fields: readonly Field[], form: { values: FormValues; isDirty: boolean }, isStored: boolean): TestPlan {
  if (isStored && !hasTypedOptions(fields, form)) return { tries: 'saved' };
  const asked = optionFields(fields);
  const [faultyName] = faultsOf(asked, form.values).keys();
  const firstFault = asked.find(({ name }) => name === faultyName);
  if (firstFault) return { tries: 'nothing', firstFault };
  return { tries: 'typed', options: payloadOf(asked, form.values) };
}

/** A working connection may still have a warning. */
interface Outcome {
  failure: string | undefined;
  warning: string | undefined;
}
export function outcomeOf({ ok, message, warning }: TestReply, { unknown }: Pick<TestText, 'unknown'> = testText): Outcome {
  return ok ? { failure: undefined, warning } : { failure: message || unknown, warning: undefined };
}

/** A refusal of the settings explains the fault; an error of the server says nothing about the connection. */
export function testFailure(error: unknown, { unknown }: Pick<TestText, 'unknown'> = testText): string {
  const isAnswer = error instanceof ApiError && error.status >= 400 && error.status < 500;
  return (isAnswer && error.message) || unknown;
}
