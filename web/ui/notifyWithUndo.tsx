import { Button } from 'antd';
import { notify } from './notify.tsx';

/** Longer than a plain notice: noticing a mistake takes a moment. */
const undoSeconds = 6;
let count = 0;

/** Offers an undo for actions that need no confirmation (complaint 55). */
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
