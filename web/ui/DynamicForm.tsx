import DownOutlined from '@ant-design/icons/DownOutlined';
import UpOutlined from '@ant-design/icons/UpOutlined';
import { Button } from 'antd';
import { type FormEvent, type ReactNode, useEffect, useId, useState } from 'react';
import { FieldRow } from './form/FieldRow.tsx';
import styles from './form/Form.module.css';
import type { Field, FormValues } from './form/field.ts';
import { type FormState, useFormState } from './form/useFormState.ts';
import { useLeaveGuard } from './leaveGuard.ts';

interface DynamicFormProps {
  fields: readonly Field[];
  /** A rejection keeps the typed values. */
  onSubmit: (payload: FormValues) => unknown;
  saveText?: string;
  /** Actions beside the button; a function where they act on the typed values, as a connection test does. */
  actions?: ReactNode | ((form: FormState) => ReactNode);
  onDirty?: (isDirty: boolean) => void;
  onValid?: (isValid: boolean) => void;
  areExtrasOpen?: boolean;
  /** Set where a button outside submits it; then the form has no button of its own. */
  id?: string;
}

/** A form drawn from a list of fields; leaving it with unsaved changes needs a confirmation. */
export function DynamicForm({
  fields,
  onSubmit,
  saveText = 'Save',
  actions,
  onDirty,
  onValid,
  areExtrasOpen = false,
  id,
}: DynamicFormProps) {
  const ownId = useId();
  const formId = id ?? ownId;
  const form = useFormState(fields, { onSubmit, onDirty });
  const [isUnfolded, setUnfolded] = useState(areExtrasOpen);
  const [faultyName, setFaultyName] = useState<string | null>(null);

  // The guard is off while saving, so that the caller may leave as soon as the save is done.
  useLeaveGuard(form.isDirty && !form.isSaving, formId);
  useEffect(() => onValid?.(form.isValid), [form.isValid, onValid]);

  const plain = fields.filter((field) => !field.extra);
  const extras = fields.filter((field) => field.extra);
  const isEditable = fields.some((field) => !field.readOnly && field.type !== 'content');

  const submit = async (event: FormEvent) => {
    event.preventDefault();
    // A dialog inside a page with a form of its own must submit only itself.
    event.stopPropagation();
    const refused = await form.submit();
    if (!refused) return;
    if (extras.some((field) => field.name === refused.firstFault)) setUnfolded(true);
    setFaultyName(refused.firstFault);
  };

  useEffect(() => {
    if (faultyName === null) return;
    const control = document.getElementById(`${formId}-${faultyName}`);
    control?.scrollIntoView({ block: 'center' });
    control?.focus({ preventScroll: true });
    setFaultyName(null);
  }, [faultyName, formId]);

  const rowOf = (field: Field) => <FieldRow key={field.name} field={field} form={form} id={`${formId}-${field.name}`} />;
  return (
    <form id={formId} className={styles.form} noValidate onSubmit={submit}>
      {plain.map(rowOf)}
      {extras.length > 0 && (
        <>
          <Button
            type="dashed"
            block
            icon={isUnfolded ? <UpOutlined /> : <DownOutlined />}
            iconPlacement="end"
            aria-expanded={isUnfolded}
            onClick={() => setUnfolded(!isUnfolded)}
          >
            Additional Settings
          </Button>
          {isUnfolded && extras.map(rowOf)}
        </>
      )}
      {(id === undefined || actions) && (
        <div className={styles.actions}>
          {id === undefined && isEditable && (
            <Button type="primary" htmlType="submit" loading={form.isSaving}>
              {saveText}
            </Button>
          )}
          {typeof actions === 'function' ? actions(form) : actions}
        </div>
      )}
    </form>
  );
}
