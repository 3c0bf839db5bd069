import { Alert } from 'antd';
import { type ReactNode, useId, useState } from 'react';
import { Dialog } from './Dialog.tsx';
import { DynamicForm } from './DynamicForm.tsx';
import type { Field, FormValues } from './form/field.ts';
import { askToLeave, giveUp } from './leaveGuard.ts';

interface FormDialogProps {
  title: ReactNode;
  fields: readonly Field[];
  okText: string;
  /** A rejection keeps the dialog open. */
  onSubmit: (payload: FormValues) => unknown;
  onClose: () => void;
  /** Shows a rejection inside the dialog; otherwise the saving code notifies of it. */
  showsErrors?: boolean;
  /** OK is disabled until every field is valid. */
  waitsForValid?: boolean;
  width?: number;
}

/** A dialog for a few values: Enter submits, and a click beside it or Escape does not lose typed values. */
export function FormDialog({
  title,
  fields,
  okText,
  onSubmit,
  onClose,
  showsErrors = false,
  waitsForValid = false,
  width = 480,
}: FormDialogProps) {
  const formId = useId();
  const [isOpen, setOpen] = useState(true);
  const [isBusy, setBusy] = useState(false);
  const [failure, setFailure] = useState('');
  const [isValid, setValid] = useState(false);
  const [isDirty, setDirty] = useState(false);

  const submit = async (payload: FormValues) => {
    setBusy(true);
    setFailure('');
    try {
      await onSubmit(payload);
      setOpen(false);
    } catch (error) {
      if (showsErrors) setFailure((error instanceof Error && error.message) || 'Failed saving.');
      throw error;
    } finally {
      setBusy(false);
    }
  };

  return (
    <Dialog
      title={title}
      okText={okText}
      mayClose={(isByEscape) => !isByEscape || !isDirty || askToLeave('form')}
      onClose={() => {
        giveUp(formId);
        onClose();
      }}
      isOpen={isOpen}
      isBusy={isBusy}
      isOkDisabled={waitsForValid && !isValid}
      formId={formId}
      width={width}
    >
      <DynamicForm id={formId} fields={fields} onSubmit={submit} onDirty={setDirty} onValid={setValid} />
      {failure && <Alert style={{ marginBlockStart: 16 }} type="error" showIcon title={failure} />}
    </Dialog>
  );
}
