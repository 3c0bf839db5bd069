import { Alert, Input } from 'antd';
import { type FormEvent, useId, useState } from 'react';
import { Dialog } from '../ui/Dialog.tsx';
import { controlState } from '../ui/form/controlState.ts';
import formStyles from '../ui/form/Form.module.css';
import { Labelled } from '../ui/form/Labelled.tsx';
import { askToLeave, giveUp, useLeaveGuard } from '../ui/leaveGuard.ts';
import { CommandFields } from './form/CommandFields.tsx';
import { bodyOf, isSameDraft, newDraft } from './form/draft.ts';
import { focusField } from './form/focusField.ts';
import { useDraft } from './form/useDraft.ts';
import { useCreateCommand } from './useCommands.ts';

/** A5 */
const leastPort = 0;

/** A2: creates a command and sends nothing. Returns its id. */
export default function DownlinkDialog({ onClose }: { onClose: (created: number | null) => void }) {
  const id = useId();
  const create = useCreateCommand();
  const { draft, change, shown, check, attributes, isLorawan } = useDraft(newDraft, () => leastPort);
  const [isOpen, setOpen] = useState(true);
  const [created, setCreated] = useState<number | null>(null);
  const isDirty = !isSameDraft(newDraft, draft);
  useLeaveGuard(isDirty && created === null, id);

  const submit = async (event: FormEvent) => {
    event.preventDefault();
    event.stopPropagation();
    const fault = check();
    if (fault !== null) return focusField(id, fault);
    const made = await create.mutateAsync({ body: bodyOf(draft, isLorawan) }).catch(() => null);
    if (!made) return;
    setCreated(made.id);
    setOpen(false);
  };

  return (
    <Dialog
      title="Downlink"
      okText="Create Command"
      width={560}
      formId={id}
      isOpen={isOpen}
      isBusy={create.isPending}
      mayClose={(isByEscape) => !isByEscape || !isDirty || askToLeave('form')}
      onClose={() => {
        giveUp(id);
        onClose(created);
      }}
    >
      <form id={id} className={formStyles.form} noValidate onSubmit={(event) => void submit(event)}>
        <Labelled id={`${id}-name`} label="Name" isRequired fault={shown.name}>
          <Input
            {...controlState(`${id}-name`, shown.name)}
            aria-required
            autoComplete="off"
            maxLength={255}
            placeholder="Open the valve"
            value={draft.name}
            onChange={({ target }) => change({ name: target.value })}
          />
        </Labelled>
        <CommandFields
          id={id}
          draft={draft}
          faults={shown}
          onChange={change}
          isReadOnly={create.isPending}
          leastPort={leastPort}
          attributes={attributes}
          isLorawan={isLorawan}
        />
        {create.error && <Alert type="error" showIcon title={create.error.message} />}
      </form>
    </Dialog>
  );
}
