import { Button } from 'antd';
import { notify } from './notify.tsx';

/** Longer than a plain notice: it takes a moment to see that one was wrong. */
const undoSeconds = 6;
let count = 0;

/** What acts at once without asking can be taken back (complaint 55). */
export function notifyWithUndo(kind: 'success' | 'warning', title: string, undo: () => unknown): void {
  count += 1;
  const key = `undo-${count}`;
  const takeBack = () => {
    notify.close(key);
    undo();
  };
  const description = (
    <Button size="small" onClick={takeBack}>
      Undo
    </Button>
  );
  notify[kind](title, { key, duration: undoSeconds, description });
}
