import { type AlertCommand, type Command, commandsApi } from '@telltale/domain/commands/contract.ts';
import { Select } from 'antd';
import { useId, useState } from 'react';
import { call } from '../../api/call.ts';
import { SelectItemsDialog } from '../../ui/SelectItemsDialog.tsx';
import { useLinkCommand } from '../useAlerts.ts';
import { listed, matching } from './matching.ts';
import styles from './Panel.module.css';

interface AddCommandsDialogProps {
  alertId: number;
  linked: readonly AlertCommand[];
  onClose: () => void;
}

const findCommands = async (term: string, signal: AbortSignal): Promise<Command[]> =>
  matching(listed(await call(commandsApi.list, {}, { signal })), term);

const moments: { value: AlertCommand['on']; label: string }[] = [
  { value: 'triggered', label: 'it triggers' },
  { value: 'ok', label: 'it is back to ok' },
  { value: 'both', label: 'either happens' },
];

/** Screens 11, the fork's second panel. */
export default function AddCommandsDialog({ alertId, linked, onClose }: AddCommandsDialogProps) {
  const id = useId();
  const link = useLinkCommand();
  const [on, setOn] = useState<AlertCommand['on']>('triggered');
  return (
    <SelectItemsDialog
      title="Add Existing Commands"
      placeholder="Search commands..."
      hasCount
      find={findCommands}
      keyOf={(command) => command.id}
      draw={({ name, channel_name }) => (
        <span>
          {name} <span className={styles.below}>{channel_name}</span>
        </span>
      )}
      isTaken={(command) => linked.some(({ command_id }) => command_id === command.id)}
      save={(command) => link.mutateAsync({ params: { id: alertId }, body: { alert_id: alertId, command_id: command.id, on } })}
      onClose={onClose}
      footer={
        <p className={styles.note}>
          <label htmlFor={id}>Send when</label>
          <Select id={id} size="small" value={on} options={moments} style={{ width: 136 }} onChange={setOn} />
          <span>
            Create new commands in{' '}
            <a href="/commands" target="_blank" rel="noopener">
              Commands
            </a>
          </span>
        </p>
      }
    />
  );
}
