import ThunderboltOutlined from '@ant-design/icons/ThunderboltOutlined';
import type { Command } from '@telltale/domain/commands/contract.ts';
import { schedulesApi } from '@telltale/domain/commands/contract.ts';
import type { Schedule } from '@telltale/domain/commands/schedule.ts';
import { Radio } from 'antd';
import { lazy, Suspense, useState } from 'react';
import { useSearchParams } from 'react-router';
import { useList } from '../../api/query.ts';
import { useCan } from '../../api/session.ts';
import { EmptyState } from '../../ui/EmptyState.tsx';
import { ItemsPage } from '../../ui/ItemsPage.tsx';
import { ScheduleActions } from './ScheduleActions.tsx';
import { ScheduleButtons } from './ScheduleButtons.tsx';
import styles from './Schedules.module.css';
import { SuspendedNotice } from './SuspendedNotice.tsx';
import { scheduleColumns } from './scheduleColumns.tsx';

const ScheduleDialog = lazy(() => import('./ScheduleDialog.tsx'));
const RunsDialog = lazy(() => import('./RunsDialog.tsx'));
const EventDialog = lazy(() => import('./events/EventDialog.tsx'));

interface Open {
  schedule: Schedule;
  kind: 'edit' | 'runs';
}

/** The list is loaded again regularly: next runs pass, and events suspend themselves. */
const refetchMs = 10_000;

/** A2: Active shows recurring and event schedules, and one-time ones whose time is still to come. */
export function SchedulesTab({ command }: { command: Command }) {
  const canSend = useCan()('send_command');
  const [search, setSearch] = useSearchParams();
  const filter = search.get('filter') === 'all' ? 'all' : 'active';
  const show = (next: 'active' | 'all') =>
    setSearch(
      (before) => {
        before.delete('page');
        if (next === 'all') before.set('filter', 'all');
        else before.delete('filter');
        return before;
      },
      { replace: true },
    );
  // The dialog is not part of its row: a reload may drop the row while one types.
  const [open, setOpen] = useState<Open | null>(null);
  const items = useList(schedulesApi.list, {
    order: '-created_at',
    params: { id: command.id },
    query: { filter },
    remember: 'schedules',
    refetchMs,
    textOf: ({ name, sentence }) => `${name}\n${sentence}`,
  });
  return (
    <>
      <ItemsPage
        title="Schedules"
        level={2}
        items={items}
        columns={[
          ...scheduleColumns,
          ...(canSend
            ? [
                {
                  title: '',
                  cell: (schedule: Schedule) => (
                    <ScheduleActions command={command} schedule={schedule} onOpen={(kind) => setOpen({ schedule, kind })} />
                  ),
                  width: 168,
                },
              ]
            : []),
        ]}
        action={canSend && <ScheduleButtons command={command} onScheduledNow={() => show('all')} />}
        notice={
          <div className={styles.notices}>
            <Radio.Group
              aria-label="Filter"
              optionType="button"
              size="small"
              value={filter}
              options={[
                { value: 'active', label: 'Active' },
                { value: 'all', label: 'All' },
              ]}
              onChange={({ target }) => show(target.value)}
            />
            {items.items
              .filter(({ suspended_at }) => suspended_at !== null)
              .map((schedule) => (
                <SuspendedNotice key={schedule.id} schedule={schedule} />
              ))}
          </div>
        }
        empty={
          <EmptyState icon={<ThunderboltOutlined />}>
            {filter === 'active' ? 'No active schedules. All shows those that are over.' : 'No schedules yet'}
          </EmptyState>
        }
      />
      {open && <OpenDialog command={command} {...open} onClose={() => setOpen(null)} />}
    </>
  );
}

function OpenDialog({ command, schedule, kind, onClose }: Open & { command: Command; onClose: () => void }) {
  const Editor = schedule.type === 'e' ? EventDialog : ScheduleDialog;
  return (
    <Suspense>
      {kind === 'runs' ? (
        <RunsDialog commandId={command.id} schedule={schedule} onClose={onClose} />
      ) : (
        <Editor command={command} schedule={schedule} onClose={onClose} />
      )}
    </Suspense>
  );
}
