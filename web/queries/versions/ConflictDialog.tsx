import type { Query } from '@telltale/domain/queries/contract.ts';
import { Button } from 'antd';
import { useState } from 'react';
import { showDialog } from '../../ui/confirm.tsx';
import { Dialog } from '../../ui/Dialog.tsx';
import { TimeAgo } from '../../ui/TimeAgo.tsx';
import styles from './Conflict.module.css';
import { DiffView } from './DiffView.tsx';

/** Q8 */
const overwriteText =
  'It seems like the query has been modified by another user. Are you sure you want to overwrite the query with your version?';

export type ConflictAnswer = 'overwrite' | 'merge' | 'theirs';

export interface Conflict {
  mine: string;
  theirs: Query;
  /** Both changes in one text, where they can be merged. */
  merged: string | null;
  /** False where parameters or the data source differ, too. */
  isSameRest: boolean;
}

/** Complaint 2: shows both texts side by side, with more choices than "overwrite or lose". */
export const askAboutConflict = (conflict: Conflict): Promise<ConflictAnswer | null> =>
  showDialog<ConflictAnswer>((answer, onClose) => <ConflictDialog {...conflict} onAnswer={answer} onClose={onClose} />);

interface ConflictDialogProps extends Conflict {
  onAnswer: (answer: ConflictAnswer) => void;
  onClose: () => void;
}

function ConflictDialog({ mine, theirs, merged, isSameRest, onAnswer, onClose }: ConflictDialogProps) {
  const [isOpen, setOpen] = useState(true);
  const choose = (answer: ConflictAnswer) => {
    onAnswer(answer);
    setOpen(false);
  };
  const who = (theirs.last_modified_by ?? theirs.user).name;
  return (
    <Dialog
      title="Overwrite Query"
      okText="Overwrite"
      danger
      width="min(960px, 94vw)"
      isOpen={isOpen}
      onOk={() => onAnswer('overwrite')}
      onClose={onClose}
      note={
        <span className={styles.others}>
          {merged !== null && <Button onClick={() => choose('merge')}>Merge both</Button>}
          <Button onClick={() => choose('theirs')}>Take their version</Button>
        </span>
      }
    >
      <div className={styles.stack}>
        <p>{overwriteText}</p>
        <p className={styles.note}>
          {who} saved version {theirs.version}, <TimeAgo date={theirs.updated_at} />. Every saved version is kept and can be read in the
          version history.
        </p>
        <p className={styles.legend}>
          <span className={styles.theirs}>− their text</span> <span className={styles.mine}>+ your text</span>
        </p>
        <DiffView language="sql" before={theirs.query} after={mine} label="Their text and yours" />
        {!isSameRest && <p className={styles.note}>Their parameters or their data source differ from yours, too.</p>}
        {merged === null && theirs.query !== mine && (
          <p className={styles.note}>You both changed the same lines, so the two cannot be merged by themselves.</p>
        )}
      </div>
    </Dialog>
  );
}
