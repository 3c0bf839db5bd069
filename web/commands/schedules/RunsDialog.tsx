import { schedulesApi } from '@telltale/domain/commands/contract.ts';
import type { Schedule, ScheduleRun } from '@telltale/domain/commands/schedule.ts';
import { useState } from 'react';
import { useList } from '../../api/query.ts';
import { Dialog } from '../../ui/Dialog.tsx';
import { type Column, ItemsPage } from '../../ui/ItemsPage.tsx';
import { wallText } from '../../ui/momentText.ts';
import { NothingYet } from '../../ui/NothingYet.tsx';
import { StateLabel, type Tone } from '../../ui/StateLabel.tsx';
import { wallClock } from './zones.ts';

const looks: Readonly<Record<ScheduleRun['status'], { tone: Tone; text: string }>> = {
  fired: { tone: 'ok', text: 'Sent' },
  late: { tone: 'info', text: 'Sent late' },
  missed: { tone: 'warning', text: 'Missed' },
};

const reasons: Readonly<Record<string, string>> = {
  stale_event: 'The reading was older than 15 minutes.',
  type_mismatch: 'The reading was of another kind than the value of the condition, such as a text where it has a number.',
};

/** The runs of a schedule, with the reason of missed ones. */
export default function RunsDialog({ commandId, schedule, onClose }: { commandId: number; schedule: Schedule; onClose: () => void }) {
  const [isOpen, setOpen] = useState(true);
  const runs = useList(schedulesApi.runs, {
    params: { id: commandId, sid: schedule.id },
    order: '',
    pageSize: 10,
    urlState: false,
    refetchMs: 10_000,
  });
  const columns: readonly Column<ScheduleRun>[] = [
    {
      title: 'Due',
      cell: ({ due_at }) => <time dateTime={due_at}>{wallText(wallClock(new Date(due_at), schedule.timezone))}</time>,
      width: 176,
    },
    { title: 'Outcome', cell: ({ status }) => <StateLabel tone={looks[status].tone}>{looks[status].text}</StateLabel>, width: 120 },
    { title: 'Reason', cell: ({ reason }) => (reason === null ? '' : (reasons[reason] ?? reason)) },
  ];
  return (
    <Dialog
      title={`Runs of ${schedule.name || schedule.sentence}`}
      okText="Close"
      width={700}
      isOpen={isOpen}
      onOk={() => setOpen(false)}
      onClose={onClose}
    >
      <ItemsPage title="Runs" level={3} isPart items={runs} columns={columns} empty={<NothingYet>It has not run yet.</NothingYet>} />
    </Dialog>
  );
}
