import type { Command } from '@telltale/domain/commands/contract.ts';
import type { Schedule, ScheduleInput } from '@telltale/domain/commands/schedule.ts';
import { Input } from 'antd';
import { type FormEvent, type ReactNode, useState } from 'react';
import { Dialog } from '../../ui/Dialog.tsx';
import formStyles from '../../ui/form/Form.module.css';
import { Labelled } from '../../ui/form/Labelled.tsx';
import { askToLeave } from '../../ui/leaveGuard.ts';
import { useCreateSchedule, useSaveSchedule } from '../useCommands.ts';

interface ScheduleFormDialogProps {
  /** The id of the form, for the ids of its fields. */
  id: string;
  command: Command;
  /** The schedule to change; undefined for a new one. */
  schedule: Schedule | undefined;
  noun: 'Schedule' | 'Event';
  width: number;
  /** An example of a name. */
  placeholder: string;
  isOkDisabled?: boolean;
  /** The body to save under this name; null when something is missing. */
  bodyOf: (name: string) => ScheduleInput | null;
  onClose: () => void;
  children: ReactNode;
}

/** The dialog of a timed schedule and of an event: its name, then its own fields. */
export function ScheduleFormDialog(props: ScheduleFormDialogProps) {
  const { id, command, schedule, noun, width, placeholder, isOkDisabled = false, bodyOf, onClose, children } = props;
  const [name, setName] = useState(schedule?.name ?? '');
  const [isOpen, setOpen] = useState(true);
  const [isTouched, setTouched] = useState(false);
  const create = useCreateSchedule();
  const save = useSaveSchedule();

  const submit = async (event: FormEvent) => {
    event.preventDefault();
    event.stopPropagation();
    const body = bodyOf(name);
    if (!body) return;
    const params = { id: command.id };
    const done = schedule ? save.mutateAsync({ params: { ...params, sid: schedule.id }, body }) : create.mutateAsync({ params, body });
    if (await done.catch(() => null)) setOpen(false);
  };

  return (
    <Dialog
      title={`${schedule ? 'Edit' : 'New'} ${noun}`}
      okText={`${schedule ? 'Save' : 'Create'} ${noun}`}
      width={width}
      formId={id}
      isOpen={isOpen}
      isBusy={create.isPending || save.isPending}
      isOkDisabled={isOkDisabled}
      mayClose={(isByEscape) => !isByEscape || !isTouched || askToLeave('form')}
      onClose={onClose}
    >
      <form id={id} className={formStyles.form} noValidate onChange={() => setTouched(true)} onSubmit={(event) => void submit(event)}>
        <Labelled id={`${id}-name`} label="Name">
          <Input
            id={`${id}-name`}
            value={name}
            maxLength={255}
            autoComplete="off"
            placeholder={placeholder}
            onChange={({ target }) => setName(target.value)}
          />
        </Labelled>
        {children}
      </form>
    </Dialog>
  );
}
