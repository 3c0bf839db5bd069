import type { Command } from '@telltale/domain/commands/contract.ts';
import type { Schedule } from '@telltale/domain/commands/schedule.ts';
import { useId, useState } from 'react';
import { useSearchParams } from 'react-router';
import { type Header, headers, headersFault } from './cronPlan.ts';
import { ScheduleBuilder } from './ScheduleBuilder.tsx';
import { ScheduleFormDialog } from './ScheduleFormDialog.tsx';
import { bodyOf, builderOf, newBuilder, timedOf } from './timedSchedule.ts';

interface ScheduleDialogProps {
  command: Command;
  /** The schedule to change; undefined for a new one. */
  schedule?: Schedule | undefined;
  onClose: () => void;
}

/** A5: one-time and recurring schedules. `?headers=Daily,Weekly` in the address limits the choices. */
export default function ScheduleDialog({ command, schedule, onClose }: ScheduleDialogProps) {
  const id = useId();
  const [search] = useSearchParams();
  const asked = search.get('headers');
  const offered =
    asked === null
      ? headers
      : asked
          .split(',')
          .map((one) => one.trim())
          .filter(Boolean);
  const [state, setState] = useState(() => (schedule ? builderOf(schedule) : newBuilder(new Date(), offered as readonly Header[])));
  const timed = timedOf(state);
  return (
    <ScheduleFormDialog
      id={id}
      command={command}
      schedule={schedule}
      noun="Schedule"
      width={640}
      placeholder="Every morning"
      isOkDisabled={headersFault(offered) !== null || timed.schedule.trim() === ''}
      bodyOf={(name) => bodyOf(timed, name)}
      onClose={onClose}
    >
      <ScheduleBuilder command={command} headers={offered} state={state} onChange={setState} />
    </ScheduleFormDialog>
  );
}
