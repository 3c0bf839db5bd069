import { Input } from 'antd';
import { lazy, Suspense, useId, useState } from 'react';
import { confirm } from '../../ui/confirm.tsx';
import { Dialog } from '../../ui/Dialog.tsx';
import { useDelayed } from '../../ui/useDelayed.ts';
import styles from './Dialogs.module.css';

const Markdown = lazy(() => import('../widgets/Markdown.tsx'));

interface TextboxDialogProps {
  /** Null for a new one. */
  text: string | null;
  onSave: (text: string) => Promise<unknown>;
  onClose: () => void;
}

/** D2 and screens 9.6: markdown with a preview that follows after 200 ms; closing by accident does not lose the text. */
export default function TextboxDialog({ text: initial, onSave, onClose }: TextboxDialogProps) {
  const id = useId();
  const [text, setText] = useState(initial ?? '');
  const shown = useDelayed(text);
  const isChanged = text !== (initial ?? '');
  const askToQuit = () =>
    !isChanged ||
    confirm({
      title: 'Quit editing?',
      content: 'Changes you made so far will not be saved. Are you sure?',
      okText: 'Yes, quit',
      danger: true,
    });
  return (
    <Dialog
      title={initial === null ? 'Add Textbox' : 'Edit Textbox'}
      okText={initial === null ? 'Add to Dashboard' : 'Save'}
      isOkDisabled={text.trim() === ''}
      onOk={() => (isChanged ? onSave(text) : null)}
      mayClose={askToQuit}
      onClose={onClose}
      width={500}
    >
      <div className={styles.stack}>
        <Input.TextArea
          id={id}
          rows={5}
          value={text}
          maxLength={100_000}
          aria-label="Text"
          placeholder="This is where you write some text"
          onChange={({ target }) => setText(target.value)}
        />
        <p className={styles.note}>Supports basic Markdown.</p>
        {/* The preview has its place from the start, so that the buttons do not move away under a click. */}
        <strong>Preview:</strong>
        <div className={styles.preview}>
          <Suspense>{shown.trim() !== '' && <Markdown text={shown} />}</Suspense>
        </div>
      </div>
    </Dialog>
  );
}
