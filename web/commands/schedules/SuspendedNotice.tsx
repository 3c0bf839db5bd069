import type { Schedule } from '@telltale/domain/commands/schedule.ts';
import { Alert, Button } from 'antd';
import { useCan } from '../../api/session.ts';
import { useResumeSchedule } from '../useCommands.ts';

/** iot-behaviour 3.7: a schedule that fires too often suspends itself until a user resumes it. */
export function SuspendedNotice({ schedule }: { schedule: Schedule }) {
  const canSend = useCan()('send_command');
  const resume = useResumeSchedule();
  const thing = schedule.name || schedule.sentence;
  return (
    <Alert
      type="warning"
      showIcon
      title={`“${thing}” is suspended: ${schedule.suspended_reason ?? 'too many firings'}`}
      action={
        canSend && (
          <Button
            size="small"
            aria-label={`Resume ${thing}`}
            loading={resume.isPending}
            onClick={() => resume.mutate({ params: { id: schedule.command_id, sid: schedule.id } })}
          >
            Resume
          </Button>
        )
      }
    />
  );
}
