import type { Command } from '@telltale/domain/commands/contract.ts';
import type { Schedule } from '@telltale/domain/commands/schedule.ts';
import { confirm } from '../../ui/confirm.tsx';
import { RowButton } from '../../ui/RowButton.tsx';
import { useDeleteSchedule } from '../useCommands.ts';
import styles from './Schedules.module.css';

interface ScheduleActionsProps {
  command: Command;
  schedule: Schedule;
  onOpen: (kind: 'edit' | 'runs') => void;
}

/** The actions of one schedule. A one-time one that is over cannot be changed any more. */
export function ScheduleActions({ command, schedule, onOpen }: ScheduleActionsProps) {
  const remove = useDeleteSchedule();
  const params = { id: command.id, sid: schedule.id };
  const thing = schedule.name || schedule.sentence;
  const canEdit = schedule.type !== 'o' || schedule.is_active;
  const ask = () =>
    confirm({
      title: 'Delete Schedule',
      content: `Are you sure you want to delete the schedule “${thing}”? What it has already sent stays.`,
      okText: 'Delete',
      danger: true,
      onOk: () => remove.mutateAsync({ params }),
    });
  return (
    <span className={styles.actions}>
      <RowButton thing={thing} onClick={() => onOpen('runs')}>
        Runs
      </RowButton>
      {canEdit && (
        <RowButton thing={thing} onClick={() => onOpen('edit')}>
          Edit
        </RowButton>
      )}
      <RowButton thing={thing} danger onClick={() => void ask()}>
        Delete
      </RowButton>
    </span>
  );
}
