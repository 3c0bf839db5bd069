import { Button } from 'antd';
import { useId } from 'react';
import type { Field } from '../ui/form/field.ts';
import type { FormState } from '../ui/form/useFormState.ts';
import { notify } from '../ui/notify.tsx';
import { hasTypedOptions, testPlan } from './connectionTest.ts';
import styles from './TestConnection.module.css';
import { connection, type TestSubject, useConnectionTest } from './useConnectionTest.ts';

interface TestConnectionProps {
  type: string;
  /** The id of a stored source. */
  id?: number;
  fields: readonly Field[];
  form: FormState;
  formId: string;
  /** The object of the test: the connection of a data source unless given. */
  subject?: TestSubject;
}

/** Tests the typed settings, or the stored ones when nothing was changed, and says which. */
export function TestConnection({ type, id, fields, form, formId, subject = connection }: TestConnectionProps) {
  const hintId = useId();
  const { isTesting, testStored, testTyped } = useConnectionTest(subject);
  const isStored = id !== undefined && !hasTypedOptions(fields, form);

  const test = () => {
    const plan = testPlan(fields, form, id !== undefined);
    if (plan.tries === 'saved' && id !== undefined) void testStored(id);
    if (plan.tries === 'typed') void testTyped({ type, options: plan.options, id });
    if (plan.tries !== 'nothing') return;
    // Checking the form shows missing values; a folded field cannot be shown, so it is named.
    form.check();
    const control = document.getElementById(`${formId}-${plan.firstFault.name}`);
    if (control) control.focus();
    else notify.error(`Please check ${plan.firstFault.title} under Additional Settings.`);
  };

  return (
    <>
      <Button loading={isTesting} aria-describedby={hintId} onClick={test}>
        {subject.text.button}
      </Button>
      <span id={hintId} className={styles.hint}>
        {isStored ? subject.text.storedHint : subject.text.typedHint}
      </span>
    </>
  );
}
