import type { Command } from '@telltale/domain/commands/contract.ts';
import styles from '../Commands.module.css';
import { Timeline } from '../deliveries/Timeline.tsx';
import { Subscriptions } from '../subscriptions/Subscriptions.tsx';
import { EditForm } from './EditForm.tsx';

interface DetailsTabProps {
  command: Command;
  onUnsaved: (isUnsaved: boolean) => void;
}

export function DetailsTab({ command, onUnsaved }: DetailsTabProps) {
  return (
    <div className={styles.details}>
      <div className={styles.side}>
        <EditForm command={command} onUnsaved={onUnsaved} />
        <Subscriptions command={command} />
      </div>
      <Timeline command={command} />
    </div>
  );
}
