import { lazy, Suspense } from 'react';
import { PictureSkeleton } from '../../visualizations/PictureSkeleton.tsx';
import { useBoard } from '../board.ts';
import type { ShownWidget } from '../shownWidget.ts';
import styles from './Widget.module.css';
import { WidgetFrame } from './WidgetFrame.tsx';

const Markdown = lazy(() => import('./Markdown.tsx'));

export function TextWidget({ widget }: { widget: ShownWidget }) {
  const { actions } = useBoard();
  return (
    <WidgetFrame widget={widget} menu={actions ? [{ key: 'edit', label: 'Edit', onClick: () => actions.editText(widget) }] : []}>
      <div className={styles.text}>
        <Suspense fallback={<PictureSkeleton />}>
          <Markdown text={widget.text ?? ''} />
        </Suspense>
      </div>
    </WidgetFrame>
  );
}
