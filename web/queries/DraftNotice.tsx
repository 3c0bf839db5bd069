import { Button } from 'antd';
import { TimeAgo } from '../ui/TimeAgo.tsx';
import type { LocalDraft } from './drafts.ts';
import styles from './QuerySource.module.css';

interface DraftNoticeProps {
  draft: LocalDraft;
  onRestore: () => void;
  onDiscard: () => void;
}

/** Complaint 1: offers the draft of an earlier visit, to restore or discard. */
export function DraftNotice({ draft, onRestore, onDiscard }: DraftNoticeProps) {
  return (
    <div className={styles.draft} role="status">
      <span>
        There are changes in this browser that were not saved, from <TimeAgo date={draft.at} />.
      </span>
      <Button size="small" onClick={onRestore}>
        Restore changes
      </Button>
      <Button size="small" type="text" onClick={onDiscard}>
        Discard
      </Button>
    </div>
  );
}
