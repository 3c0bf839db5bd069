import EllipsisOutlined from '@ant-design/icons/EllipsisOutlined';
import FileImageOutlined from '@ant-design/icons/FileImageOutlined';
import type { ResultRow } from '@telltale/domain/results/contract.ts';
import { lazy, memo, Suspense, useState } from 'react';
import { plainText } from '../cellValue.ts';
import { withLinks } from '../html/htmlText.ts';
import styles from './Cell.module.css';
import { type ColumnView, imageOf, isNothing, linkOf } from './columnView.ts';
import { JsonTree } from './JsonTree.tsx';
import { itemsComment, jsonOf } from './jsonValue.ts';
import { isWiderThan } from './textWidth.ts';

const SafeHtml = lazy(() => import('../html/SafeHtml.tsx'));

/** A cell that is opened to be shown in full. */
export interface OpenedCell {
  column: ColumnView;
  row: ResultRow;
}

interface CellProps {
  column: ColumnView;
  row: ResultRow;
  /** Pixels for the content. */
  width: number;
  /** The cell has one line, whatever its content; otherwise it is as high as it needs. */
  isOneLine: boolean;
  onOpen: (cell: OpenedCell) => void;
}

/** visualizations 4.3 and 4.7: one cell, in its column's display. */
export const Cell = memo(function Cell({ column, row, width, isOneLine, onOpen }: CellProps) {
  const value = column.read(row);
  if (isNothing(column, value)) return value === null ? <span className={styles.nothing}>{column.nullText}</span> : null;
  const open = () => onOpen({ column, row });
  const textCell = (text: string) =>
    isOneLine ? (
      <TextCell text={text} title={column.title} width={width} onOpen={open} />
    ) : (
      <WrappedText text={text} title={column.title} onOpen={open} />
    );
  switch (column.displayAs) {
    case 'link':
      return <LinkCell column={column} row={row} value={value} isOneLine={isOneLine} />;
    case 'image':
      return <ImageCell column={column} row={row} value={value} isOneLine={isOneLine} />;
    case 'json': {
      const json = jsonOf(value, column.maxJsonSize);
      if (!json) return textCell(plainText(value));
      if (!isOneLine) return <JsonTree value={json} />;
      return (
        <OpenButton className={styles.json} title={column.title} onOpen={open}>
          {Array.isArray(json) ? '[…]' : '{…}'} <span>{itemsComment(json)}</span>
        </OpenButton>
      );
    }
    case 'string': {
      const text = plainText(value);
      if (column.allowHTML && (column.highlightLinks || /[<&]/.test(text))) {
        const html = (
          <Suspense fallback={<span className={isOneLine ? styles.line : styles.wrapped}>{column.text(row).slice(0, mostLetters)}</span>}>
            <SafeHtml className={isOneLine ? styles.line : styles.html} html={column.highlightLinks ? withLinks(text) : text} />
          </Suspense>
        );
        return isOneLine && isCut(column.text(row), width) ? <WithButton title={column.title} onOpen={open} content={html} /> : html;
      }
      return textCell(text);
    }
    default:
      // Numbers, moments and yes or no have one line in a row of either height.
      return <TextCell text={column.text(row)} title={column.title} width={width} onOpen={open} />;
  }
});

/** Longer text in one line is cut: it would not be visible, and would slow down the page. */
const mostLetters = 400;
/** visualizations 4.3: text that wraps is not cut, unless it would make the page slow. */
const mostWrapped = 10_000;

const isCut = (text: string, width: number): boolean => text.length > mostLetters || isWiderThan(text, width) || text.includes('\n');

interface TextCellProps {
  text: string;
  title: string;
  width: number;
  onOpen: () => void;
}

function TextCell({ text, title, width, onOpen }: TextCellProps) {
  const content = <span className={styles.line}>{text.length > mostLetters ? text.slice(0, mostLetters) : text}</span>;
  return isCut(text, width) ? <WithButton title={title} onOpen={onOpen} content={content} /> : content;
}

function WrappedText({ text, ...open }: OpenProps & { text: string }) {
  if (text.length <= mostWrapped) return <span className={styles.wrapped}>{text}</span>;
  return (
    <span className={styles.wrapped}>
      {text.slice(0, mostWrapped)}…{' '}
      <OpenButton {...open} className={styles.more}>
        Show all
      </OpenButton>
    </span>
  );
}

interface OpenProps {
  title: string;
  onOpen: () => void;
}

function WithButton({ content, ...open }: OpenProps & { content: React.ReactNode }) {
  return (
    <span className={styles.cut}>
      {content}
      <OpenButton {...open} className={styles.open}>
        <EllipsisOutlined aria-hidden />
      </OpenButton>
    </span>
  );
}

function OpenButton({ title, onOpen, className, children }: OpenProps & { className: string | undefined; children: React.ReactNode }) {
  return (
    <button type="button" className={className} aria-label={`Show all of ${title}`} title="Show all" onClick={onOpen}>
      {children}
    </button>
  );
}

interface ValueProps {
  column: ColumnView;
  row: ResultRow;
  value: unknown;
}

function LinkCell({ column, row, value, isOneLine }: ValueProps & { isOneLine: boolean }) {
  const { href, text, title, isNewTab } = linkOf(column, value, row);
  const shown = text.slice(0, isOneLine ? mostLetters : mostWrapped);
  const look = isOneLine ? styles.line : styles.wrapped;
  if (href === undefined) return <span className={look}>{shown}</span>;
  return (
    <a className={look} href={href} title={title} {...(isNewTab && { target: '_blank', rel: 'noopener noreferrer' })}>
      {shown}
    </a>
  );
}

function ImageCell({ column, row, value, isOneLine }: ValueProps & { isOneLine: boolean }) {
  const { src, title, width, height } = imageOf(column, value, row);
  const [broken, setBroken] = useState<string | null>(null);
  if (src === undefined) return null;
  if (src === broken) {
    return (
      <span className={`${styles.line} ${styles.broken}`} title={src}>
        <FileImageOutlined aria-hidden /> Picture not available
      </span>
    );
  }
  return (
    <img
      className={isOneLine ? styles.thumb : styles.image}
      src={src}
      alt={title}
      title={title}
      width={width}
      height={height}
      loading="lazy"
      decoding="async"
      referrerPolicy="no-referrer"
      onError={() => setBroken(src)}
    />
  );
}
