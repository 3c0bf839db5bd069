import { Button } from 'antd';
import { useState } from 'react';
import styles from './SaveView.module.css';

interface SaveViewProps {
  onSave: () => Promise<unknown>;
  onReset: () => void;
}

/** Shown while what one sees differs from what is kept with the visualization. */
export function SaveView({ onSave, onReset }: SaveViewProps) {
  const [isBusy, setBusy] = useState(false);
  const save = () => {
    setBusy(true);
    void onSave()
      .catch(() => {})
      .finally(() => setBusy(false));
  };
  return (
    <div className={styles.bar}>
      <Button size="small" onClick={onReset} disabled={isBusy}>
        Reset view
      </Button>
      <Button size="small" type="primary" ghost onClick={save} loading={isBusy}>
        Save as default
      </Button>
    </div>
  );
}
