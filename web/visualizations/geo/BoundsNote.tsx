import { Button } from 'antd';
import styles from './GeoEditor.module.css';

/** Moving the preview stores the first view; this resets it. */
export function BoundsNote({ isStored, onReset }: { isStored: boolean; onReset: () => void }) {
  return (
    <p className={styles.bounds}>
      {isStored
        ? 'The map opens where the preview was moved to.'
        : 'The map opens with everything in sight. Move the preview to change that.'}
      {isStored && (
        <Button size="small" onClick={onReset}>
          Show everything
        </Button>
      )}
    </p>
  );
}
