import { InputNumber } from 'antd';
import type { EditorProps } from '../define.ts';
import { Field } from '../editor/Field.tsx';
import { ColumnField, Fields } from '../editor/fields.tsx';
import styles from './WordCloud.module.css';
import { firstText, type Limit, type WordCloudOptions } from './wordCloudOptions.ts';

/** visualizations 15. */
export default function WordCloudEditor({ table: { columns }, options, onOptionsChange }: EditorProps<WordCloudOptions>) {
  return (
    <Fields>
      <ColumnField
        label="Words Column"
        value={options.column || firstText(columns)}
        columns={columns}
        onChange={(column) => onOptionsChange({ column: column ?? '' })}
      />
      <ColumnField
        label="Frequencies Column"
        value={options.frequenciesColumn}
        none="(count word frequencies automatically)"
        columns={columns}
        onChange={(column) => onOptionsChange({ frequenciesColumn: column ?? '' })}
      />
      <LimitFields
        label="Words Length Limit"
        limit={options.wordLengthLimit}
        onChange={(wordLengthLimit) => onOptionsChange({ wordLengthLimit })}
      />
      <LimitFields
        label="Frequencies Limit"
        limit={options.wordCountLimit}
        onChange={(wordCountLimit) => onOptionsChange({ wordCountLimit })}
      />
    </Fields>
  );
}

/** Zero and an empty value mean no limit. */
function LimitFields({ label, limit, onChange }: { label: string; limit: Limit; onChange: (limit: Limit) => void }) {
  return (
    <Field label={label}>
      {(id) => (
        <div className={styles.limits}>
          <InputNumber<number>
            id={id}
            placeholder="Min"
            min={0}
            value={limit.min}
            onChange={(min) => onChange({ ...limit, min: min || null })}
          />
          <InputNumber<number>
            aria-label={`${label}: maximum`}
            placeholder="Max"
            min={0}
            value={limit.max}
            onChange={(max) => onChange({ ...limit, max: max || null })}
          />
        </div>
      )}
    </Field>
  );
}
