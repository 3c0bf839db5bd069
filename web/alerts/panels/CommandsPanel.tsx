import PlusOutlined from '@ant-design/icons/PlusOutlined';
import type { AlertCommand } from '@telltale/domain/commands/contract.ts';
import { Button } from 'antd';
import { lazy, Suspense, useState } from 'react';
import { useCan } from '../../api/session.ts';
import { useAlertCommands, useUnlinkCommand } from '../useAlerts.ts';
import { Panel, PanelItem } from './Panel.tsx';
import { RemoveButton } from './RemoveButton.tsx';

const AddCommandsDialog = lazy(() => import('./AddCommandsDialog.tsx'));

const moments: Record<AlertCommand['on'], string> = {
  triggered: 'when triggered',
  ok: 'when back to ok',
  both: 'when triggered and when back to ok',
};

/** Commands that the alert sends to devices; users who may change the alert and send commands can change them. */
export function CommandsPanel({ alertId, canEdit }: { alertId: number; canEdit: boolean }) {
  const can = useCan();
  const commands = useAlertCommands(alertId);
  const [isAdding, setAdding] = useState(false);
  const mayChange = canEdit && can('send_command');
  return (
    <Panel
      title="Commands"
      manage={can('view_channel') ? { address: '/commands', label: 'Open Commands' } : undefined}
      read={commands}
      empty={commands.data?.length === 0 && 'No commands are sent.'}
      add={
        mayChange && (
          <Button size="small" icon={<PlusOutlined />} onClick={() => setAdding(true)}>
            Add
          </Button>
        )
      }
    >
      {commands.data?.map((link) => (
        <LinkedCommand key={link.id} link={link} mayRemove={mayChange} />
      ))}
      {isAdding && (
        <Suspense>
          <AddCommandsDialog alertId={alertId} linked={commands.data ?? []} onClose={() => setAdding(false)} />
        </Suspense>
      )}
    </Panel>
  );
}

function LinkedCommand({ link: { id, alert_id, command_name, on }, mayRemove }: { link: AlertCommand; mayRemove: boolean }) {
  const unlink = useUnlinkCommand();
  return (
    <PanelItem
      name={command_name}
      below={moments[on]}
      action={
        mayRemove && (
          <RemoveButton
            label={`Remove ${command_name}`}
            isRunning={unlink.isPending}
            onClick={() => unlink.mutate({ params: { id: alert_id, cid: id } })}
          />
        )
      }
    />
  );
}
