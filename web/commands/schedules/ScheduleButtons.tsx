import PlusOutlined from '@ant-design/icons/PlusOutlined';
import type { Command } from '@telltale/domain/commands/contract.ts';
import { Button } from 'antd';
import { lazy, Suspense, useState } from 'react';
import { useSearchParams } from 'react-router';
import { confirm } from '../../ui/confirm.tsx';
import { devicesText } from '../send/SendPreview.tsx';
import { useCreateSchedule } from '../useCommands.ts';
import { bodyOf, type TimedSchedule } from './timedSchedule.ts';
import { browserZone, wallClock } from './zones.ts';

const ScheduleDialog = lazy(() => import('./ScheduleDialog.tsx'));
const EventDialog = lazy(() => import('./events/EventDialog.tsx'));

interface ScheduleButtonsProps {
  command: Command;
  /** The new schedule is over at once, so it shows only under All. */
  onScheduledNow: () => void;
}

export function ScheduleButtons({ command, onScheduledNow }: ScheduleButtonsProps) {
  const [search] = useSearchParams();
  const [open, setOpen] = useState<'schedule' | 'event' | null>(search.has('headers') ? 'schedule' : null);
  const create = useCreateSchedule();
  const close = () => setOpen(null);
  const scheduleNow = async () => {
    const isSent = await confirm({
      title: 'Schedule Now',
      content: `“${command.name}” is sent to ${devicesText(command.device_ids.length)} at once.`,
      okText: `Send to ${devicesText(command.device_ids.length)}`,
      onOk: () => create.mutateAsync({ params: { id: command.id }, body: bodyOf(rightNow(), '') }),
    });
    if (isSent) onScheduledNow();
  };
  return (
    <>
      <Button onClick={() => void scheduleNow()}>Schedule Now</Button>
      <Button icon={<PlusOutlined />} onClick={() => setOpen('event')}>
        New Event
      </Button>
      <Button type="primary" icon={<PlusOutlined />} onClick={() => setOpen('schedule')}>
        New Schedule
      </Button>
      <Suspense>
        {open === 'schedule' && <ScheduleDialog command={command} onClose={close} />}
        {open === 'event' && <EventDialog command={command} onClose={close} />}
      </Suspense>
    </>
  );
}

/** A2: this moment, as a wall time of the browser's zone. */
function rightNow(): TimedSchedule {
  const timezone = browserZone();
  return { type: 'o', schedule: wallClock(new Date(), timezone), timezone };
}
