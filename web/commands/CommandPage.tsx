import ArrowLeftOutlined from '@ant-design/icons/ArrowLeftOutlined';
import type { Command } from '@telltale/domain/commands/contract.ts';
import { Button } from 'antd';
import { useState } from 'react';
import { Link, useNavigate, useParams, useSearchParams } from 'react-router';
import { useCan } from '../api/session.ts';
import { useTitle } from '../layout/useTitle.ts';
import { ErrorState } from '../ui/ErrorState.tsx';
import { FormSkeleton } from '../ui/FormSkeleton.tsx';
import { InlineEdit } from '../ui/InlineEdit.tsx';
import { PageHeader } from '../ui/PageHeader.tsx';
import { PageTabs } from '../ui/PageTabs.tsx';
import styles from './Commands.module.css';
import { deliveriesId } from './deliveries/Timeline.tsx';
import { DetailsTab } from './details/DetailsTab.tsx';
import { SchedulesTab } from './schedules/SchedulesTab.tsx';
import { SendButton } from './send/SendButton.tsx';
import { useCommand, useSaveCommand } from './useCommands.ts';

/** /commands/:commandId */
export function CommandPage() {
  const { commandId = '' } = useParams();
  const { data: command, error, refetch } = useCommand(Number(commandId));
  useTitle(command?.name);
  if (error && !command) return <ErrorState error={error} onRetry={refetch} action={<Link to="/commands">Commands</Link>} />;
  if (!command) return <FormSkeleton rows={6} />;
  return <CommandView key={command.id} command={command} />;
}

function CommandView({ command }: { command: Command }) {
  const navigate = useNavigate();
  const [, setSearch] = useSearchParams();
  const canSend = useCan()('send_command');
  const save = useSaveCommand('Commands saved successfully');
  const [isUnsaved, setUnsaved] = useState(false);
  // Deliveries are shown on the first tab, on a phone below the form.
  const showDeliveries = () => {
    setSearch({});
    requestAnimationFrame(() => document.getElementById(deliveriesId)?.scrollIntoView({ block: 'nearest' }));
  };
  return (
    <div className={styles.page}>
      <PageHeader
        above={
          <Button className={styles.back ?? ''} size="small" type="text" icon={<ArrowLeftOutlined />} onClick={() => navigate('/commands')}>
            Back
          </Button>
        }
        title={
          <InlineEdit
            value={command.name}
            label="Command name"
            isEditable={canSend}
            ignoreBlanks
            maxLength={255}
            onSave={(name) => save.mutateAsync({ params: { id: command.id }, body: { name } })}
          />
        }
        action={
          canSend && <SendButton command={command} refusal={isUnsaved && 'Save or discard the changes first'} onSent={showDeliveries} />
        }
      />
      <PageTabs
        label={`Command ${command.name}`}
        tabs={[
          {
            key: 'details',
            title: 'Details',
            isUnsaved,
            content: <DetailsTab command={command} onUnsaved={setUnsaved} />,
          },
          { key: 'schedules', title: 'Schedules', content: <SchedulesTab command={command} /> },
        ]}
      />
    </div>
  );
}
