import { Input, Select, Switch } from 'antd';
import { useId, useState } from 'react';
import { confirm } from '../../ui/confirm.tsx';
import type { AlertDraft } from '../draft.ts';
import styles from './Form.module.css';
import { Row } from './Row.tsx';
import { type PreviewSource, TemplatePreview } from './TemplatePreview.tsx';
import { VariableList } from './VariableList.tsx';

interface TemplateRowProps {
  draft: AlertDraft;
  /** The values for the preview. */
  source: PreviewSource;
  onChange: (changes: Partial<AlertDraft>) => void;
}

const choices = [
  { value: false, label: 'Use default template' },
  { value: true, label: 'Use custom template' },
];

/** Screens 11: the default texts, or an own subject and body with a preview. */
export function TemplateRow({ draft, source, onChange }: TemplateRowProps) {
  const id = useId();
  const [isPreviewed, setPreviewed] = useState(false);
  const { hasTemplate, custom_subject, custom_body } = draft;

  const choose = async (next: boolean) => {
    if (next || (!custom_subject && !custom_body)) return onChange({ hasTemplate: next });
    const isSure = await confirm({
      title: 'Are you sure?',
      content: 'Switching to default template will discard your custom template.',
      okText: 'Discard template',
      danger: true,
    });
    if (isSure) onChange({ hasTemplate: false, custom_subject: '', custom_body: '' });
  };

  return (
    <Row label="Template">
      <label htmlFor={id} className="visually-hidden">
        Template
      </label>
      <Select id={id} value={hasTemplate} options={choices} className={styles.wide ?? ''} onChange={(next: boolean) => void choose(next)} />
      {hasTemplate && (
        <div className={styles.template}>
          <div className={styles.templateHead}>
            <h3>Subject / Body</h3>
            <span className={styles.switch}>
              <label htmlFor={`${id}-preview`}>Preview</label>
              <Switch id={`${id}-preview`} size="small" checked={isPreviewed} onChange={setPreviewed} />
            </span>
          </div>
          {isPreviewed ? (
            <TemplatePreview draft={draft} source={source} />
          ) : (
            <>
              <Input
                aria-label="Subject"
                placeholder="Subject"
                value={custom_subject}
                maxLength={1000}
                onChange={({ target }) => onChange({ custom_subject: target.value })}
              />
              <Input.TextArea
                aria-label="Body"
                placeholder="Body"
                value={custom_body}
                maxLength={100_000}
                autoSize={{ minRows: 9, maxRows: 24 }}
                className={styles.body ?? ''}
                onChange={({ target }) => onChange({ custom_body: target.value })}
              />
              <VariableList kind={draft.kind} onInsert={(name) => onChange({ custom_body: `${custom_body}{{${name}}}` })} />
            </>
          )}
        </div>
      )}
    </Row>
  );
}

export const TemplateText = ({ hasTemplate }: { hasTemplate: boolean }) => (
  <Row label="Template">
    <p className={styles.text}>{`Set to ${hasTemplate ? 'custom' : 'default'} notification template.`}</p>
  </Row>
);
