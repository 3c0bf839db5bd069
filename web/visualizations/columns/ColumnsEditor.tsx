import EyeInvisibleOutlined from '@ant-design/icons/EyeInvisibleOutlined';
import EyeOutlined from '@ant-design/icons/EyeOutlined';
import RightOutlined from '@ant-design/icons/RightOutlined';
import { type ReactNode, useState } from 'react';
import { SearchBox } from '../../ui/SearchBox.tsx';
import type { DisplaySettings } from '../displaySettings.ts';
import { moved } from '../editor/moved.ts';
import { SortableList } from '../editor/SortableList.tsx';
import type { ResultTable } from '../resultTable.ts';
import { ColumnEditor } from './ColumnEditor.tsx';
import styles from './ColumnsEditor.module.css';
import type { ColumnOptions } from './columnOptions.ts';

interface ColumnsEditorProps {
  columns: readonly ColumnOptions[];
  table: ResultTable;
  settings: DisplaySettings;
  onChange: (columns: ColumnOptions[]) => void;
  /** Set for tables only: no other kind has a search. */
  hasSearch?: boolean;
}

const manyColumns = 15;

/** visualizations 4.8: all folded; the order of the list is the order of the columns. */
export function ColumnsEditor({ columns, table, settings, onChange, hasSearch = true }: ColumnsEditorProps) {
  const [opened, setOpened] = useState<string | null>(null);
  const [term, setTerm] = useState('');
  const wanted = term.toLowerCase();
  const shown = columns.filter(({ name, title }) => `${name}\n${title}`.toLowerCase().includes(wanted));
  const change = (name: string, changes: Partial<ColumnOptions>) =>
    onChange(columns.map((column) => (column.name === name ? { ...column, ...changes } : column)));
  const showAll = (visible: boolean) => onChange(columns.map((column) => ({ ...column, visible })));

  const item = (column: ColumnOptions, handle: ReactNode) => (
    <Item
      column={column}
      handle={handle}
      isOpen={opened === column.name}
      onToggle={() => setOpened(opened === column.name ? null : column.name)}
      onVisible={(visible) => change(column.name, { visible })}
    >
      <ColumnEditor
        column={column}
        table={table}
        settings={settings}
        hasSearch={hasSearch}
        onChange={(changes) => change(column.name, changes)}
      />
    </Item>
  );
  return (
    <div>
      {columns.length > manyColumns && (
        <div className={styles.tools}>
          <SearchBox value={term} onSearch={setTerm} placeholder="Find a column..." label="Find a column" />
          <button type="button" onClick={() => showAll(true)}>
            Show all
          </button>
          <button type="button" onClick={() => showAll(false)}>
            Hide all
          </button>
        </div>
      )}
      {term ? (
        <ul className={styles.found}>
          {shown.map((column) => (
            <li key={column.name}>{item(column, null)}</li>
          ))}
          {shown.length === 0 && <li className={styles.none}>No column has this in its name.</li>}
        </ul>
      ) : (
        <SortableList
          label="Columns"
          items={columns}
          keyOf={({ name }) => name}
          nameOf={({ name }) => name}
          onMove={(from, to) => onChange(moved(columns, from, to))}
        >
          {item}
        </SortableList>
      )}
    </div>
  );
}

interface ItemProps {
  column: ColumnOptions;
  handle: ReactNode;
  isOpen: boolean;
  onToggle: () => void;
  onVisible: (visible: boolean) => void;
  children: ReactNode;
}

function Item({ column: { name, title, visible }, handle, isOpen, onToggle, onVisible, children }: ItemProps) {
  return (
    <>
      <div className={styles.head}>
        {handle}
        <button type="button" className={styles.toggle} aria-expanded={isOpen} onClick={onToggle}>
          <RightOutlined className={(isOpen ? styles.caretOpen : styles.caret) ?? ''} aria-hidden />
          <span className={visible ? styles.name : styles.hidden}>{name || '(no name)'}</span>
          {title !== name && <i>({title})</i>}
        </button>
        <button
          type="button"
          className={styles.eye}
          aria-label={`Toggle visibility of ${name}`}
          aria-pressed={visible}
          title="Toggle visibility"
          onClick={() => onVisible(!visible)}
        >
          {visible ? <EyeOutlined aria-hidden /> : <EyeInvisibleOutlined aria-hidden />}
        </button>
      </div>
      {isOpen && <div className={styles.body}>{children}</div>}
    </>
  );
}
