import { type AlertState, alertStates } from '@telltale/domain/alerts/options.ts';
import { renderTemplate } from '@telltale/domain/alerts/template.ts';
import type { ResultColumn, ResultRow } from '@telltale/domain/results/contract.ts';
import { Select } from 'antd';
import { useId, useState } from 'react';
import type { AlertDraft } from '../draft.ts';
import styles from './Form.module.css';
import { previewValues } from './previewValues.ts';
import { Field } from './Row.tsx';

export interface PreviewSource {
  /** The id of a stored alert; a new one has none. */
  alertId: number | null;
  name: string;
  columns: readonly ResultColumn[];
  rows: readonly ResultRow[];
}

interface TemplatePreviewProps {
  draft: AlertDraft;
  source: PreviewSource;
}

/** Complaint 51: a preview of a notice for a chosen state and row. */
export function TemplatePreview({ draft, source }: TemplatePreviewProps) {
  const id = useId();
  const [state, setState] = useState<AlertState>('triggered');
  const [row, setRow] = useState(0);
  const values = previewValues(draft, source, state, row);
  return (
    <>
      <div className={styles.fields}>
        <Field id={`${id}-state`} label="Status" isNarrow>
          <Select<AlertState>
            id={`${id}-state`}
            value={state}
            style={{ width: 140 }}
            options={alertStates.toReversed().map((one) => ({ value: one, label: one.toUpperCase() }))}
            onChange={setState}
          />
        </Field>
        {source.rows.length > 1 && (
          <Field id={`${id}-row`} label="Row" isNarrow>
            <Select<number>
              id={`${id}-row`}
              value={Math.min(row, source.rows.length - 1)}
              style={{ width: 96 }}
              options={source.rows.map((_, at) => ({ value: at, label: String(at + 1) }))}
              onChange={setRow}
            />
          </Field>
        )}
      </div>
      <div className={styles.preview}>
        <p className={styles.previewSubject}>{renderTemplate(draft.custom_subject, values) || 'No subject'}</p>
        <p className={styles.previewBody}>{renderTemplate(draft.custom_body, values)}</p>
      </div>
    </>
  );
}
