import { useQuery } from '@tanstack/react-query';
import { type Command, commandsApi, type Sent } from '@telltale/domain/commands/contract.ts';
import { Alert, Checkbox } from 'antd';
import { useState } from 'react';
import { type ApiError, call } from '../../api/call.ts';
import { Dialog } from '../../ui/Dialog.tsx';
import styles from '../Commands.module.css';
import { useSendCommand } from '../useCommands.ts';
import { CommandSelect } from './CommandSelect.tsx';
import { devicesText, SendPreview } from './SendPreview.tsx';

interface SendDialogProps {
  channelId: string;
  /** The command; without one it is chosen here, from those of the channel. */
  command?: Command;
  /** Devices of the channel to send to instead of the command's own. */
  deviceIds?: readonly string[];
  /** Called after the dialog has closed, with whether something was sent. */
  onClose: (isSent: boolean) => void;
}

/** Shows the exact devices and bytes before sending; more than 20 devices need a confirmation. */
export default function SendDialog({ channelId, command: given, deviceIds, onClose }: SendDialogProps) {
  const [chosen, setChosen] = useState<number | null>(given?.id ?? null);
  const [isConfirmed, setConfirmed] = useState(false);
  const send = useSendCommand();
  const preview = usePreview(chosen, deviceIds);
  const count = preview.data?.deliveries.filter(({ state }) => state !== 'failed').length ?? 0;
  const isWaiting = preview.data === undefined || (preview.data.needs_confirmation && !isConfirmed);
  const devices = deviceIds && { device_ids: [...deviceIds] };
  return (
    <Dialog
      title={given ? `Send “${given.name}”` : 'Send command'}
      okText={count > 0 ? `Send to ${devicesText(count)}` : 'Send'}
      width={640}
      isOkDisabled={chosen === null || isWaiting}
      onOk={() => send.mutateAsync({ params: { id: chosen ?? 0 }, body: { ...devices } })}
      onClose={() => onClose(send.isSuccess)}
    >
      <div className={styles.send}>
        {!given && (
          <CommandSelect
            channelId={channelId}
            value={chosen}
            onChange={(next) => {
              setChosen(next);
              setConfirmed(false);
            }}
          />
        )}
        {preview.error && <Alert type="error" showIcon title={preview.error.message} />}
        {chosen !== null && preview.isPending && <p className={styles.hint}>Loading...</p>}
        {preview.data && <SendPreview sent={preview.data} />}
        {preview.data?.needs_confirmation && (
          <Alert
            type="warning"
            title={
              <Checkbox checked={isConfirmed} onChange={({ target }) => setConfirmed(target.checked)}>
                Yes, send this command to {devicesText(count)}
              </Checkbox>
            }
          />
        )}
        {send.error && <Alert type="error" showIcon title={send.error.message} />}
      </div>
    </Dialog>
  );
}

/** Loaded whenever the dialog opens: devices change. */
function usePreview(commandId: number | null, deviceIds: readonly string[] | undefined) {
  return useQuery<Sent, ApiError>({
    queryKey: ['send-preview', commandId, deviceIds],
    queryFn: ({ signal }) =>
      call(
        commandsApi.send,
        { params: { id: commandId ?? 0 }, body: { preview: true, ...(deviceIds && { device_ids: [...deviceIds] }) } },
        { signal },
      ),
    enabled: commandId !== null,
    retry: false,
    gcTime: 0,
    staleTime: Number.POSITIVE_INFINITY,
  });
}
