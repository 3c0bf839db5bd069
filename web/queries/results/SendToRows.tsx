import SendOutlined from '@ant-design/icons/SendOutlined';
import type { QueryResult } from '@telltale/domain/results/contract.ts';
import { lazy, Suspense, useState } from 'react';
import { useCan } from '../../api/session.ts';
import { carriesDevices } from './devicesInRows.ts';
import { NamedButton } from './NamedButton.tsx';

const RowDevicesDialog = lazy(() => import('./RowDevicesDialog.tsx'));
const SendDialog = lazy(() => import('../../commands/send/SendDialog.tsx'));

/** Sends a command to the devices in a result: they are selected first, then the command is chosen and previewed. */
export function SendToRows({ result }: { result: QueryResult | null }) {
  const can = useCan();
  const [isTicking, setTicking] = useState(false);
  const [target, setTarget] = useState<{ channelId: string; deviceIds: string[] } | null>(null);
  if (!result || !can('send_command') || !can('view_channel') || !carriesDevices(result.data)) return null;
  return (
    <>
      <NamedButton text="Send Command" icon={<SendOutlined />} onClick={() => setTicking(true)} />
      <Suspense>
        {isTicking && <RowDevicesDialog data={result.data} onChosen={setTarget} onClose={() => setTicking(false)} />}
        {target && !isTicking && <SendDialog {...target} onClose={() => setTarget(null)} />}
      </Suspense>
    </>
  );
}
