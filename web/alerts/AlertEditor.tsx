import { Button, Input } from 'antd';
import { type ReactNode, useState } from 'react';
import { useLeaveGuard } from '../ui/leaveGuard.ts';
import styles from './AlertPage.module.css';
import { type AlertBody, type AlertDraft, bodyOf, generatedName, isSameDraft, missingIn } from './draft.ts';
import { AlertForm } from './form/AlertForm.tsx';
import { ReplayChart } from './replay/ReplayChart.tsx';
import { useChannelName } from './useChannelName.ts';

interface AlertEditorProps {
  start: AlertDraft;
  alertId: number | null;
  saveText: string;
  /** A rejection keeps the draft. */
  onSave: (body: AlertBody) => Promise<unknown>;
  onCancel?: (() => void) | undefined;
  /** Shown above the form of an alert on a query. */
  intro?: ReactNode;
}

/** The form of a new or changed alert, with a replay of what it would have done. */
export function AlertEditor({ start, alertId, saveText, onSave, onCancel, intro }: AlertEditorProps) {
  const [draft, setDraft] = useState(start);
  const [isSaving, setSaving] = useState(false);
  const subject = useChannelName(draft.channel_id);
  const missing = missingIn(draft);
  useLeaveGuard(!isSaving && !isSameDraft(draft, start));
  const change = (changes: Partial<AlertDraft>) => setDraft((before) => ({ ...before, ...changes }));

  const save = async () => {
    setSaving(true);
    try {
      await onSave(bodyOf(draft, subject));
    } catch {
      // The toast shows the reason; the draft stays.
      setSaving(false);
    }
  };
  const isSubjectChosen = draft.kind === 'query' ? draft.query !== null : draft.channel_id !== '';
  return (
    <div className={styles.page}>
      <header className={styles.header}>
        <div className={styles.title}>
          {isSubjectChosen || alertId !== null ? (
            <h1 className={styles.nameEditor}>
              <Input
                aria-label="Alert name"
                value={draft.name}
                placeholder={generatedName(draft, subject)}
                maxLength={255}
                autoComplete="off"
                onChange={({ target }) => change({ name: target.value })}
              />
            </h1>
          ) : (
            <h1>New Alert</h1>
          )}
        </div>
        <div className={styles.actions}>
          {onCancel && (
            <Button disabled={isSaving} onClick={onCancel}>
              Cancel
            </Button>
          )}
          <Button type="primary" loading={isSaving} disabled={missing !== null} title={missing ?? undefined} onClick={save}>
            {saveText}
          </Button>
        </div>
      </header>
      <div className={`${styles.editor} ${isSubjectChosen ? styles.beside : ''}`}>
        <div className={styles.form}>
          {draft.kind === 'query' && intro}
          <AlertForm draft={draft} alertId={alertId} name={draft.name.trim() || generatedName(draft, subject)} onChange={change} />
        </div>
        {isSubjectChosen && (
          <div className={styles.replay}>
            <ReplayChart draft={draft} />
          </div>
        )}
      </div>
    </div>
  );
}
