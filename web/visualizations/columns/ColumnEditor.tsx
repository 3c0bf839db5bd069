import AlignCenterOutlined from '@ant-design/icons/AlignCenterOutlined';
import AlignLeftOutlined from '@ant-design/icons/AlignLeftOutlined';
import AlignRightOutlined from '@ant-design/icons/AlignRightOutlined';
import { Checkbox, Select } from 'antd';
import { useMemo } from 'react';
import type { DisplaySettings } from '../displaySettings.ts';
import { DelayedInput } from '../editor/DelayedInput.tsx';
import { Field } from '../editor/Field.tsx';
import type { ResultTable } from '../resultTable.ts';
import styles from './ColumnEditor.module.css';
import { type Alignment, alignments, type ColumnOptions, type DisplayKind, displayKinds } from './columnOptions.ts';
import { columnView } from './columnView.ts';
import { DisplayEditor } from './DisplayEditor.tsx';

const kindNames: Readonly<Record<DisplayKind, string>> = {
  string: 'Text',
  number: 'Number',
  datetime: 'Date/Time',
  boolean: 'Boolean',
  json: 'JSON',
  image: 'Image',
  link: 'Link',
};
const alignIcons = { left: AlignLeftOutlined, center: AlignCenterOutlined, right: AlignRightOutlined };

interface ColumnEditorProps {
  column: ColumnOptions;
  table: ResultTable;
  settings: DisplaySettings;
  hasSearch: boolean;
  onChange: (changes: Partial<ColumnOptions>) => void;
}

export function ColumnEditor({ column, table, settings, hasSearch, onChange }: ColumnEditorProps) {
  const example = useMemo(() => exampleOf(column, table, settings), [column, table, settings]);
  return (
    <div className={styles.column}>
      <div className={styles.titleRow}>
        <Field label="Title">{(id) => <DelayedInput id={id} value={column.title} onChange={(title) => onChange({ title })} />}</Field>
        <Align value={column.alignContent} onChange={(alignContent) => onChange({ alignContent })} />
      </div>
      {hasSearch && (
        <Checkbox checked={column.allowSearch} onChange={({ target }) => onChange({ allowSearch: target.checked })}>
          Use for search
        </Checkbox>
      )}
      <Field label="Description">
        {(id) => <DelayedInput id={id} value={column.description} onChange={(description) => onChange({ description })} />}
      </Field>
      <Field label="Display as:">
        {(id) => (
          <Select<DisplayKind>
            id={id}
            value={column.displayAs}
            options={displayKinds.map((value) => ({ value, label: kindNames[value] }))}
            onChange={(displayAs) => onChange({ displayAs })}
          />
        )}
      </Field>
      <DisplayEditor column={column} example={example} onChange={onChange} />
    </div>
  );
}

/** The first row with a value. */
function exampleOf(column: ColumnOptions, { rows }: ResultTable, settings: DisplaySettings): string {
  const view = columnView(column, settings);
  for (const row of rows.slice(0, 100)) {
    const text = view.text(row);
    if (text) return text.slice(0, 80);
  }
  return '';
}

function Align({ value, onChange }: { value: Alignment; onChange: (value: Alignment) => void }) {
  return (
    <fieldset className={styles.align}>
      <legend className="visually-hidden">Alignment</legend>
      {alignments.map((alignment) => {
        const Icon = alignIcons[alignment];
        return (
          <button
            key={alignment}
            type="button"
            aria-pressed={alignment === value}
            aria-label={`Align ${alignment}`}
            title={`Align ${alignment}`}
            onClick={() => onChange(alignment)}
          >
            <Icon aria-hidden />
          </button>
        );
      })}
    </fieldset>
  );
}
