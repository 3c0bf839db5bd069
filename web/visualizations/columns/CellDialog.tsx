import { CopyButton } from '../../ui/CopyButton.tsx';
import { Dialog } from '../../ui/Dialog.tsx';
import { plainText } from '../cellValue.ts';
import { withLinks } from '../html/htmlText.ts';
import SafeHtml from '../html/SafeHtml.tsx';
import type { OpenedCell } from './Cell.tsx';
import styles from './CellDialog.module.css';
import { JsonTree } from './JsonTree.tsx';
import { jsonOf } from './jsonValue.ts';

interface CellDialogProps {
  cell: OpenedCell;
  onClose: () => void;
}

/** Longer text would block the page; it can be copied. */
const mostLetters = 200_000;
const counted = new Intl.NumberFormat('en');

/** The whole content of a cell. */
export function CellDialog({ cell: { column, row }, onClose }: CellDialogProps) {
  const value = column.read(row);
  const text = plainText(value);
  const isPlain = column.displayAs === 'string' || column.displayAs === 'json';
  const shown = isPlain ? text : column.text(row);
  const json = isPlain ? jsonOf(value, column.maxJsonSize) : undefined;
  const isHtml = column.displayAs === 'string' && column.allowHTML && text.length <= mostLetters;
  return (
    <Dialog title={column.title || column.name} width={720} okText="Close" hasCancel={false} closesOnMask onClose={onClose}>
      <div className={styles.bar}>
        <span>
          {counted.format(text.length)} {text.length === 1 ? 'character' : 'characters'}
          {shown.length > mostLetters && `, the first ${counted.format(mostLetters)} are shown`}
        </span>
        <CopyButton text={text} what={column.title} />
      </div>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: it scrolls, so the keyboard must reach it */}
      <section className={styles.content} tabIndex={0} aria-label={column.title}>
        {json ? (
          <JsonTree value={json} isOpen />
        ) : isHtml ? (
          <SafeHtml html={column.highlightLinks ? withLinks(text) : text} />
        ) : (
          <pre>{shown.slice(0, mostLetters)}</pre>
        )}
      </section>
    </Dialog>
  );
}
