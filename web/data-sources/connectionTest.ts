import type { TestReply } from '@telltale/domain/data-sources/contract.ts';
import { ApiError } from '../api/ApiError.ts';
import { faultsOf } from '../ui/form/faults.ts';
import { type Field, type FormValues, initialValues, isDirty } from '../ui/form/field.ts';
import { payloadOf } from '../ui/form/payload.ts';

/** A8: the exact wording. */
export const testText = {
  success: 'Success',
  /** Ours (security 6). */
  warning: 'More rights than needed',
  failed: 'Connection Test Failed:',
  unknown: 'Unknown error occurred while performing connection test. Please try again later.',
} as const;

/** What a test tries: the stored settings of a source, or those in the form (complaint 59). */
export type TestPlan = { tries: 'saved' } | { tries: 'typed'; options: FormValues } | { tries: 'nothing'; firstFault: Field };

/** The name is no part of a connection: it may be missing, and changing it changes nothing to test. */
const optionFields = (fields: readonly Field[]) => fields.filter(({ name }) => name !== 'name');

/** Compared as they would be sent: a port typed back to what it was is no change. */
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

/** A connection that works may still be one to think about. */
export function outcomeOf({ ok, message, warning }: TestReply): { failure: string | undefined; warning: string | undefined } {
  return ok ? { failure: undefined, warning } : { failure: message || testText.unknown, warning: undefined };
}

/** A refusal of the settings says what is wrong with them; a server in trouble says nothing about the connection. */
export function testFailure(error: unknown): string {
  const isAnswer = error instanceof ApiError && error.status >= 400 && error.status < 500;
  return (isAnswer && error.message) || testText.unknown;
}
