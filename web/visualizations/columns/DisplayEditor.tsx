import { Checkbox } from 'antd';
import { DelayedInput } from '../editor/DelayedInput.tsx';
import { Field } from '../editor/Field.tsx';
import { FormatHelp } from '../editor/FormatHelp.tsx';
import styles from './ColumnEditor.module.css';
import type { ColumnOptions } from './columnOptions.ts';

interface DisplayEditorProps {
  column: ColumnOptions;
  /** A value of the column as it is shown now. */
  example: string;
  onChange: (changes: Partial<ColumnOptions>) => void;
}

/** visualizations 4.7: the settings of a column's display. JSON has none. */
export function DisplayEditor({ column, example, onChange }: DisplayEditorProps) {
  switch (column.displayAs) {
    case 'string':
      return (
        <>
          <Checkbox checked={column.allowHTML} onChange={({ target }) => onChange({ allowHTML: target.checked })}>
            Allow HTML content
          </Checkbox>
          {column.allowHTML && (
            <Checkbox checked={column.highlightLinks} onChange={({ target }) => onChange({ highlightLinks: target.checked })}>
              Highlight links
            </Checkbox>
          )}
        </>
      );
    case 'number':
      return (
        <Field label="Number format" help={<FormatHelp kind="number" />} note={example && `Shown as ${example}`}>
          {(id) => (
            <DelayedInput id={id} isCode value={column.numberFormat ?? ''} onChange={(numberFormat) => onChange({ numberFormat })} />
          )}
        </Field>
      );
    case 'datetime':
      return (
        <Field label="Date/Time format" help={<FormatHelp kind="date" />} note={example && `Shown as ${example}`}>
          {(id) => (
            <DelayedInput id={id} isCode value={column.dateTimeFormat ?? ''} onChange={(dateTimeFormat) => onChange({ dateTimeFormat })} />
          )}
        </Field>
      );
    case 'boolean':
      return <BooleanEditor values={column.booleanValues} onChange={(booleanValues) => onChange({ booleanValues })} />;
    case 'link':
      return <LinkEditor column={column} onChange={onChange} />;
    case 'image':
      return <ImageEditor column={column} onChange={onChange} />;
    case 'json':
      return null;
  }
}

function BooleanEditor({ values: [no, yes], onChange }: { values: [string, string]; onChange: (values: [string, string]) => void }) {
  return (
    <>
      <Field label="Value for false">{(id) => <DelayedInput id={id} value={no} onChange={(text) => onChange([text, yes])} />}</Field>
      <Field label="Value for true">{(id) => <DelayedInput id={id} value={yes} onChange={(text) => onChange([no, text])} />}</Field>
    </>
  );
}

type PartProps = Pick<DisplayEditorProps, 'column' | 'onChange'>;

function LinkEditor({ column, onChange }: PartProps) {
  return (
    <>
      <Template label="URL template" value={column.linkUrlTemplate} onChange={(linkUrlTemplate) => onChange({ linkUrlTemplate })} />
      <Template label="Text template" value={column.linkTextTemplate} onChange={(linkTextTemplate) => onChange({ linkTextTemplate })} />
      <Template label="Title template" value={column.linkTitleTemplate} onChange={(linkTitleTemplate) => onChange({ linkTitleTemplate })} />
      <Checkbox checked={column.linkOpenInNewTab} onChange={({ target }) => onChange({ linkOpenInNewTab: target.checked })}>
        Open in new tab
      </Checkbox>
      <TemplateHint />
    </>
  );
}

function ImageEditor({ column, onChange }: PartProps) {
  return (
    <>
      <Template label="URL template" value={column.imageUrlTemplate} onChange={(imageUrlTemplate) => onChange({ imageUrlTemplate })} />
      <Field label="Size">
        {(id) => (
          <div className={styles.pair}>
            <DelayedInput id={id} value={column.imageWidth} placeholder="Width" onChange={(imageWidth) => onChange({ imageWidth })} />
            ×
            <DelayedInput
              aria-label="Height"
              value={column.imageHeight}
              placeholder="Height"
              onChange={(imageHeight) => onChange({ imageHeight })}
            />
          </div>
        )}
      </Field>
      <Template
        label="Title template"
        value={column.imageTitleTemplate}
        onChange={(imageTitleTemplate) => onChange({ imageTitleTemplate })}
      />
      <TemplateHint />
    </>
  );
}

function Template({ label, value, onChange }: { label: string; value: string; onChange: (value: string) => void }) {
  return <Field label={label}>{(id) => <DelayedInput id={id} isCode value={value} onChange={onChange} />}</Field>;
}

function TemplateHint() {
  return (
    <p className={styles.hint}>
      All columns can be referenced as <code>{'{{ column_name }}'}</code>, the current one as <code>{'{{ @ }}'}</code>. Links lead to http,
      https and mail addresses and to pages of this console.
    </p>
  );
}
