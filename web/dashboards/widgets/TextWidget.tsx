import { lazy, Suspense } from 'react';
import { fetchAhead } from '../../ui/fetchAhead.ts';
import { useBoard } from '../board.ts';
import type { ShownWidget } from '../shownWidget.ts';
import styles from './Widget.module.css';
import { WidgetFrame } from './WidgetFrame.tsx';

const markdown = () => import('./Markdown.tsx');
const Markdown = lazy(markdown);

/** Reads the code of texts before they are drawn. */
export const readMarkdown = () => fetchAhead(markdown);

export function TextWidget({ widget }: { widget: ShownWidget }) {
  const { actions } = useBoard();
  return (
    <WidgetFrame widget={widget} menu={actions ? [{ key: 'edit', label: 'Edit', onClick: () => actions.editText(widget) }] : []}>
      <div className={styles.text}>
        <Suspense fallback={<Room text={widget.text ?? ''} />}>
          <Markdown text={widget.text ?? ''} />
        </Suspense>
      </div>
    </WidgetFrame>
  );
}

/** The plain text, unseen: about as high as what will be drawn of it. */
const Room = ({ text }: { text: string }) => (
  <div className={styles.room} data-loading="">
    {text.replaceAll(/\n{2,}/g, '\n')}
  </div>
);
