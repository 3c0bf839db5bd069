import SendOutlined from '@ant-design/icons/SendOutlined';
import type { Command } from '@telltale/domain/commands/contract.ts';
import { lazy, Suspense, useState } from 'react';
import { GuardedButton } from '../../ui/GuardedButton.tsx';

const SendDialog = lazy(() => import('./SendDialog.tsx'));

interface SendButtonProps {
  command: Command;
  refusal: string | false;
  onSent: () => void;
}

export function SendButton({ command, refusal, onSent }: SendButtonProps) {
  const [isOpen, setOpen] = useState(false);
  return (
    <>
      <GuardedButton type="primary" icon={<SendOutlined />} refusal={refusal} onClick={() => setOpen(true)}>
        Send now
      </GuardedButton>
      {isOpen && (
        <Suspense>
          <SendDialog
            command={command}
            channelId={command.channel_id}
            onClose={(isSent) => {
              setOpen(false);
              if (isSent) onSent();
            }}
          />
        </Suspense>
      )}
    </>
  );
}
