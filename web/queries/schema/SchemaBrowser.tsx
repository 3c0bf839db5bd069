import ReloadOutlined from '@ant-design/icons/ReloadOutlined';
import { Button, Input } from 'antd';
import { Fragment, useEffect, useMemo, useRef, useState } from 'react';
import { TimeAgo } from '../../ui/TimeAgo.tsx';
import { Tooltip } from '../../ui/Tooltip.tsx';
import { useDelayed } from '../../ui/useDelayed.ts';
import { filterSchema, type SchemaRow, schemaRows, visibleRows, wordsOf } from './filterSchema.ts';
import { marksIn } from './fuzzyMatch.ts';
import type { NameWriter } from './nameWriter.ts';
import styles from './SchemaBrowser.module.css';
import type { useSchema } from './useSchema.ts';

interface SchemaBrowserProps {
  schema: ReturnType<typeof useSchema>;
  /** Writes the inserted names; the shown ones are unchanged. */
  names: NameWriter;
  /** Undefined where the text cannot be edited. */
  onInsert?: ((text: string) => void) | undefined;
}

const filterDelayMs = 500;

/** Screens 5.7: tables and columns of the source; a click puts a name into the query. */
export function SchemaBrowser({ schema, names, onInsert }: SchemaBrowserProps) {
  const { tables, isLoading, isRefreshing, refresh, refreshedAt, error } = schema;
  const [typed, setTyped] = useState('');
  const filter = useDelayed(typed, filterDelayMs);
  const [expanded, setExpanded] = useState<ReadonlySet<string>>(new Set());

  // biome-ignore lint/correctness/useExhaustiveDependencies: another schema has other tables
  useEffect(() => setExpanded(new Set()), [tables]);

  const shown = useMemo(() => filterSchema(tables, filter), [tables, filter]);
  // Two words search columns, so the columns are shown.
  const words = useMemo(() => wordsOf(filter), [filter]);
  const isByColumn = words.length > 1;
  const open = useMemo(() => (isByColumn ? new Set(shown.map(({ name }) => name)) : expanded), [isByColumn, shown, expanded]);
  const { rows, height } = useMemo(() => schemaRows(shown, open), [shown, open]);

  const toggle = (name: string) => {
    const next = new Set(expanded);
    if (!next.delete(name)) next.add(name);
    setExpanded(next);
  };

  if (tables.length === 0 && !isLoading && !error) return null;
  return (
    <section className={styles.browser} aria-label="Schema">
      <div className={styles.tools}>
        <Input
          allowClear
          value={typed}
          disabled={tables.length === 0}
          placeholder="Search schema..."
          aria-label="Search schema"
          onChange={(event) => setTyped(event.target.value)}
        />
        <Tooltip title="Refresh Schema">
          <Button
            type="text"
            aria-label="Refresh Schema"
            icon={<ReloadOutlined spin={isRefreshing} />}
            disabled={isLoading}
            onClick={refresh}
          />
        </Tooltip>
      </div>
      {isLoading && <Bones />}
      {error && tables.length === 0 && (
        <p className={styles.note} role="alert">
          Failed to load Schema. Please try again later.
        </p>
      )}
      {tables.length > 0 && shown.length === 0 && <p className={styles.note}>Nothing in the schema matches “{filter.trim()}”.</p>}
      {shown.length > 0 && (
        <Rows rows={rows} height={height} open={open} words={words} onToggle={toggle} names={names} onInsert={onInsert} />
      )}
      {refreshedAt && (
        <p className={`${styles.note} ${styles.read}`}>
          {isRefreshing ? 'Reading the schema…' : <>Schema read {<TimeAgo date={refreshedAt} />}</>}
        </p>
      )}
    </section>
  );
}

interface RowsProps {
  rows: readonly SchemaRow[];
  height: number;
  open: ReadonlySet<string>;
  /** What the filter looks for, marked in the names. */
  words: readonly string[];
  onToggle: (table: string) => void;
  names: NameWriter;
  onInsert: ((text: string) => void) | undefined;
}

/** Draws only the visible rows: a schema may have thousands of tables. */
function Rows({ rows, height, open, words, onToggle, names, onInsert }: RowsProps) {
  const list = useRef<HTMLDivElement>(null);
  const [view, setView] = useState({ top: 0, height: 600 });
  useEffect(() => {
    const element = list.current;
    if (!element) return;
    const measure = () => setView({ top: element.scrollTop, height: element.clientHeight });
    measure();
    const observer = new ResizeObserver(measure);
    observer.observe(element);
    return () => observer.disconnect();
  }, []);

  return (
    <div
      ref={list}
      className={styles.list}
      onScroll={({ currentTarget }) => setView({ top: currentTarget.scrollTop, height: currentTarget.clientHeight })}
    >
      <div style={{ height }}>
        {visibleRows(rows, view.top, view.height).map(({ table, column, top, height: rowHeight }) => (
          <div key={column ? `${table.name} ${column.name}` : table.name} className={styles.row} style={{ top, height: rowHeight }}>
            {column ? (
              <button
                type="button"
                className={styles.column}
                disabled={!onInsert}
                title={[onInsert && 'Insert column name into query text', column.description].filter(Boolean).join(' · ')}
                onClick={() => onInsert?.(names.column(column.name))}
              >
                <span className={styles.name}>
                  <Marked name={column.name} words={words} />
                </span>
                {column.type && <span className={styles.type}>{column.type}</span>}
              </button>
            ) : (
              <>
                <button
                  type="button"
                  className={styles.table}
                  aria-expanded={open.has(table.name)}
                  title={table.description ?? table.name}
                  onClick={() => onToggle(table.name)}
                >
                  <span className={styles.arrow} aria-hidden>
                    {open.has(table.name) ? '▾' : '▸'}
                  </span>
                  <span className={styles.name}>
                    <Marked name={table.name} words={words} />
                  </span>
                  {table.size !== undefined && <span className={styles.type}>({table.size})</span>}
                </button>
                {onInsert && (
                  <button
                    type="button"
                    className={styles.insert}
                    title="Insert table name into query text"
                    aria-label={`Insert ${table.name} into query text`}
                    onClick={() => onInsert(names.table(table.name))}
                  >
                    »
                  </button>
                )}
              </>
            )}
          </div>
        ))}
      </div>
    </div>
  );
}

function Marked({ name, words }: { name: string; words: readonly string[] }) {
  const marks = marksIn(name, words);
  if (marks.length === 0) return name;
  return (
    <>
      {marks.map(([from, to], at) => (
        <Fragment key={from}>
          {name.slice(marks[at - 1]?.[1] ?? 0, from)}
          <mark className={styles.mark}>{name.slice(from, to)}</mark>
        </Fragment>
      ))}
      {name.slice(marks.at(-1)?.[1])}
    </>
  );
}

function Bones() {
  return (
    <div role="status">
      <span className="visually-hidden">Loading the schema…</span>
      {[70, 50, 85, 60, 40, 75].map((width) => (
        <div key={width} className={styles.bone} style={{ width: `${width}%` }} />
      ))}
    </div>
  );
}
