import { Alert, Button } from 'antd';
import { type ReactNode, useEffect, useId, useState } from 'react';
import { Dialog } from '../../ui/Dialog.tsx';
import { DynamicForm } from '../../ui/DynamicForm.tsx';
import type { Field, FormValues } from '../../ui/form/field.ts';
import { fieldsFromTypeSchema } from '../../ui/form/fieldsFromTypeSchema.ts';
import { nameAndOptions } from '../../ui/form/payload.ts';
import type { FormState } from '../../ui/form/useFormState.ts';
import { askToLeave, giveUp } from '../../ui/leaveGuard.ts';
import { saveFailure } from '../saveFailure.ts';
import styles from './CreateSourceDialog.module.css';
import { KindList } from './KindList.tsx';
import { type Step, Steps } from './Steps.tsx';
import type { SourceKind } from './sourceKind.ts';

interface OpenForm {
  kind: SourceKind;
  fields: readonly Field[];
  form: FormState;
  formId: string;
}

interface CreateSourceDialogProps {
  /** The kind of object to create: "Data Source". */
  what: string;
  kinds: { data?: readonly SourceKind[] | undefined; error: Error | null; refetch: () => unknown };
  logo: (kind: SourceKind, size: number) => ReactNode;
  /** A rejection leads back to the configuration, with its message. */
  onCreate: (source: { type: string; name: string; options: FormValues }) => Promise<unknown>;
  /** Content below the fields, such as a connection test. */
  tools?: (open: OpenForm) => ReactNode;
  /** Called once the dialog has closed, whether something was created or not. */
  onClose: () => void;
}

/** A2 and A4: choose a kind, configure it, save. */
export function CreateSourceDialog({ what, kinds, logo, onCreate, tools, onClose }: CreateSourceDialogProps) {
  const id = useId();
  const [step, setStep] = useState<Step>(0);
  const [chosen, setChosen] = useState<SourceKind | undefined>();
  // Opened forms stay mounted, so that going back and forth loses nothing (complaint 60).
  const [opened, setOpened] = useState<readonly SourceKind[]>([]);
  const [started, setStarted] = useState<ReadonlySet<string>>(new Set());
  const [failure, setFailure] = useState('');
  const [isOpen, setOpen] = useState(true);
  const formIdOf = ({ type }: SourceKind) => `${id}-${type}`;
  const formId = chosen && formIdOf(chosen);

  useEffect(() => {
    if (step === 1 && formId) document.getElementById(`${formId}-name`)?.focus();
  }, [step, formId]);

  const choose = (kind: SourceKind) => {
    setChosen(kind);
    if (!opened.includes(kind)) setOpened([...opened, kind]);
    if (kind !== chosen) setFailure('');
    setStep(1);
  };

  const create = async ({ type }: SourceKind, values: FormValues) => {
    setFailure('');
    setStep(2);
    try {
      await onCreate({ type, ...nameAndOptions(values) });
      setOpen(false);
    } catch (error) {
      setFailure(saveFailure(error));
      setStep(1);
      throw error;
    }
  };

  const noteStarted = ({ type }: SourceKind, isStarted: boolean) =>
    setStarted((before) => {
      if (before.has(type) === isStarted) return before;
      return new Set(isStarted ? [...before, type] : [...before].filter((other) => other !== type));
    });

  const isBusy = step === 2;
  return (
    <Dialog
      title={`Create a New ${what}`}
      okText="Create"
      isOpen={isOpen}
      isBusy={isBusy}
      isOkDisabled={step === 0}
      hasCancel={step === 0}
      {...(step > 0 && formId && { formId, note: <PreviousButton isDisabled={isBusy} onClick={() => setStep(0)} /> })}
      mayClose={() => started.size === 0 || askToLeave('form')}
      onClose={() => {
        for (const kind of opened) giveUp(formIdOf(kind));
        onClose();
      }}
    >
      <Steps current={step} onFirst={isBusy ? undefined : () => setStep(0)} />
      {step === 0 && (
        <KindList
          kinds={kinds.data}
          error={kinds.error}
          onRetry={kinds.refetch}
          logo={logo}
          chosen={chosen}
          isStarted={({ type }) => started.has(type)}
          onChoose={choose}
        />
      )}
      {opened.map((kind) => {
        const fields = fieldsFromTypeSchema(kind.configuration_schema, { typeName: kind.name });
        return (
          <div key={kind.type} hidden={step === 0 || kind !== chosen}>
            <p className={styles.kind}>
              {logo(kind, 32)}
              {kind.name}
            </p>
            {failure && <Alert className={styles.failure ?? ''} type="error" showIcon title={failure} />}
            <DynamicForm
              id={formIdOf(kind)}
              fields={fields}
              onSubmit={(values) => create(kind, values)}
              onDirty={(isDirty) => noteStarted(kind, isDirty)}
              actions={tools && ((form) => tools({ kind, fields, form, formId: formIdOf(kind) }))}
            />
          </div>
        );
      })}
    </Dialog>
  );
}

function PreviousButton({ isDisabled, onClick }: { isDisabled: boolean; onClick: () => void }) {
  return (
    <Button disabled={isDisabled} onClick={onClick}>
      Previous
    </Button>
  );
}
