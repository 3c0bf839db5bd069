import { useEffect, useState } from 'react';
import { faultsOf } from './faults.ts';
import { type Field, type FieldValue, type FormValues, initialValues, isDirty } from './field.ts';
import { payloadOf } from './payload.ts';

export interface FormState {
  values: FormValues;
  isDirty: boolean;
  isSaving: boolean;
  /** No field has a fault, whether it is shown or not. */
  isValid: boolean;
  /** The fault to show: none until the field was touched or the form was submitted (A5). */
  shownFault: (name: string) => string | undefined;
  isTouched: (name: string) => boolean;
  set: (name: string, value: FieldValue) => void;
  /** The payload to send now, or the name of the first field with a fault. */
  check: () => { payload: FormValues } | { firstFault: string };
  submit: () => Promise<{ firstFault: string } | undefined>;
}

interface FormOptions {
  onSubmit: (payload: FormValues) => unknown;
  onDirty?: ((isDirty: boolean) => void) | undefined;
}

/** Edits are kept apart from the fields' values, so that fields read anew from the server do not discard them. */
export function useFormState(fields: readonly Field[], { onSubmit, onDirty }: FormOptions): FormState {
  const given = initialValues(fields);
  const givenKey = JSON.stringify(given);
  const [saved, setSaved] = useState({ over: '', values: {} as FormValues });
  const [edits, setEdits] = useState<FormValues>({});
  const [touched, setTouched] = useState<ReadonlySet<string>>(new Set());
  const [isTried, setTried] = useState(false);
  const [isSaving, setSaving] = useState(false);

  // Until the fields come back from the server, the saved values replace them.
  const start = saved.over === givenKey ? saved.values : given;
  const values = { ...start, ...edits };
  const faults = faultsOf(fields, values);
  const isChanged = isDirty(start, values);

  useEffect(() => onDirty?.(isChanged), [isChanged, onDirty]);

  const check: FormState['check'] = () => {
    setTried(true);
    const [firstFault] = faults.keys();
    return firstFault === undefined ? { payload: payloadOf(fields, values) } : { firstFault };
  };

  const submit: FormState['submit'] = async () => {
    if (isSaving) return;
    const checked = check();
    if ('firstFault' in checked) return checked;
    setSaving(true);
    try {
      await onSubmit(checked.payload);
      setSaved({ over: givenKey, values });
      setEdits({});
      setTouched(new Set());
      setTried(false);
    } catch {
      // The saving code notifies of its failure; the edits stay, but no field is marked as valid any more.
      setTouched(new Set());
    } finally {
      setSaving(false);
    }
  };

  return {
    values,
    isDirty: isChanged,
    isSaving,
    isValid: faults.size === 0,
    shownFault: (name) => (isTried || touched.has(name) ? faults.get(name) : undefined),
    isTouched: (name) => touched.has(name),
    set: (name, value) => {
      setEdits((before) => ({ ...before, [name]: value }));
      setTouched((before) => new Set(before).add(name));
    },
    check,
    submit,
  };
}
