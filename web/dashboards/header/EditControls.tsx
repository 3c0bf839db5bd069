import { Button } from 'antd';
import { useState } from 'react';
import type { SaveStatus } from '../grid/LayoutSaver.ts';
import styles from './DashboardHeader.module.css';

export interface Saving {
  status: SaveStatus;
  retry: () => void;
  /** Saves pending changes; returns whether that worked. */
  settle: () => Promise<boolean>;
}

interface EditControlsProps {
  saving: Saving;
  onDone: () => void;
  reload: () => Promise<unknown>;
}

const texts: Record<SaveStatus, string> = { saved: 'Saved', saving: 'Saving', saving_failed: 'Saving Failed' };

/** D4: "Done" waits for a running save; a failed one can be tried again. */
export function EditControls({ saving, onDone, reload }: EditControlsProps) {
  const { status, retry, settle } = saving;
  const [isLeaving, setLeaving] = useState(false);
  const leave = async () => {
    setLeaving(true);
    const isSaved = await settle();
    setLeaving(false);
    if (!isSaved) return;
    onDone();
    // Others may have changed the dashboard meanwhile; if reloading fails, the current state stays.
    void reload().catch(() => {});
  };
  return (
    <>
      <span className={styles.status} role="status" data-failed={status === 'saving_failed' ? '' : undefined}>
        {texts[status]}
      </span>
      {status === 'saving_failed' && (
        <Button danger onClick={retry}>
          Retry
        </Button>
      )}
      <Button type="primary" loading={isLeaving} onClick={() => void leave()}>
        Done Editing
      </Button>
    </>
  );
}
