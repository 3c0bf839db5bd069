import type { Command } from '@telltale/domain/commands/contract.ts';
import { Button } from 'antd';
import { type FormEvent, useEffect, useId } from 'react';
import { useNavigate } from 'react-router';
import { useCan } from '../../api/session.ts';
import { confirm } from '../../ui/confirm.tsx';
import formStyles from '../../ui/form/Form.module.css';
import { useLeaveGuard } from '../../ui/leaveGuard.ts';
import { CommandFields } from '../form/CommandFields.tsx';
import { bodyOf, type CommandDraft, draftOf, isSameDraft } from '../form/draft.ts';
import { focusField } from '../form/focusField.ts';
import { useDraft } from '../form/useDraft.ts';
import { useDeleteCommand, useSaveCommand } from '../useCommands.ts';

interface EditFormProps {
  command: Command;
  onUnsaved: (isUnsaved: boolean) => void;
}

/** A5: 1 to 223 here; a command that was created with 0 keeps it until somebody types another one, except on LoRaWAN, which has no port 0. */
const leastPortOf = ({ fport }: CommandDraft, isLorawan: boolean) => (isLorawan ? 1 : Math.min(1, fport ?? 1));

export function EditForm({ command, onUnsaved }: EditFormProps) {
  const id = useId();
  const canSend = useCan()('send_command');
  const saved = draftOf(command);
  const { draft, change, shown, check, reset, attributes, isLorawan } = useDraft(saved, leastPortOf);
  const save = useSaveCommand('Command saved Successfully');
  const isUnsaved = !isSameDraft(saved, draft);
  const leaveUnasked = useLeaveGuard(isUnsaved && !save.isPending, id);
  useEffect(() => onUnsaved(isUnsaved), [isUnsaved, onUnsaved]);

  const submit = async (event: FormEvent) => {
    event.preventDefault();
    const fault = check();
    if (fault !== null) return focusField(id, fault);
    const { name: _, command_name: __, ...body } = bodyOf(draft, isLorawan);
    const isDone = await save.mutateAsync({ params: { id: command.id }, body }).then(
      () => true,
      () => false,
    );
    if (isDone) reset();
  };

  return (
    <form id={id} className={formStyles.form} noValidate aria-label="Command" onSubmit={(event) => void submit(event)}>
      <CommandFields
        id={id}
        draft={draft}
        faults={shown}
        onChange={change}
        isReadOnly={!canSend || save.isPending}
        leastPort={leastPortOf(saved, isLorawan)}
        attributes={attributes}
        isLorawan={isLorawan}
      />
      {canSend && (
        <div className={formStyles.actions}>
          <Button type="primary" htmlType="submit" disabled={!isUnsaved} loading={save.isPending}>
            Save Changes
          </Button>
          {isUnsaved && (
            <Button disabled={save.isPending} onClick={reset}>
              Discard changes
            </Button>
          )}
          <DeleteCommand command={command} onDeleted={leaveUnasked} />
        </div>
      )}
    </form>
  );
}

function DeleteCommand({ command, onDeleted }: { command: Command; onDeleted: () => void }) {
  const navigate = useNavigate();
  const remove = useDeleteCommand(() => {
    onDeleted();
    navigate('/commands');
  });
  const ask = () =>
    confirm({
      title: 'Delete Command',
      content: `Are you sure you want to delete the command “${command.name}”? Its schedules go with it, and deliveries that wait are cancelled. The log of the devices stays.`,
      okText: 'Delete',
      danger: true,
      onOk: () => remove.mutateAsync({ params: { id: command.id } }),
    });
  return (
    <Button danger onClick={() => void ask()}>
      Delete
    </Button>
  );
}
