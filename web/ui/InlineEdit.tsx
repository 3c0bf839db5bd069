import EditOutlined from '@ant-design/icons/EditOutlined';
import { type KeyboardEvent, useEffect, useRef, useState } from 'react';
import styles from './InlineEdit.module.css';
import { inlineEditOutcome } from './inlineEditOutcome.ts';

interface InlineEditProps {
  value: string;
  /** The name of the value, for screen readers. */
  label: string;
  /** A rejection keeps the editor open with its text. */
  onSave: (value: string) => unknown;
  isEditable?: boolean;
  isMultiline?: boolean;
  ignoreBlanks?: boolean;
  placeholder?: string;
  maxLength?: number;
}

/** Screens 1.5: Enter and leaving commit, Escape cancels, Shift+Enter makes a new line in multi-line values. */
export function InlineEdit({ value, label, onSave, isEditable = true, placeholder = '', ...editor }: InlineEditProps) {
  const [draft, setDraft] = useState<string | null>(null);
  const [isSaving, setSaving] = useState(false);
  const shown = useRef<HTMLButtonElement>(null);
  const isFocusWanted = useRef(false);

  useEffect(() => {
    if (draft !== null || !isFocusWanted.current) return;
    isFocusWanted.current = false;
    shown.current?.focus();
  }, [draft]);

  const commit = async (byKeyboard: boolean) => {
    if (draft === null || isSaving) return;
    const next = inlineEditOutcome(draft, value, editor.ignoreBlanks ?? false);
    isFocusWanted.current = byKeyboard;
    if (next === null) return setDraft(null);
    setSaving(true);
    try {
      await onSave(next);
      setDraft(null);
    } catch {
      // The saving code notifies of its failure.
    } finally {
      setSaving(false);
    }
  };

  if (!isEditable) return <span className={styles.text}>{value}</span>;
  if (draft === null) {
    return (
      <button ref={shown} type="button" className={styles.shown} title={`Edit ${label}`} onClick={() => setDraft(value)}>
        <span className={value ? styles.text : styles.placeholder}>{value || placeholder}</span>
        <EditOutlined className={styles.pencil ?? ''} aria-hidden />
      </button>
    );
  }
  return (
    <Editor
      draft={draft}
      label={label}
      isSaving={isSaving}
      isMultiline={editor.isMultiline ?? false}
      maxLength={editor.maxLength}
      onDraft={setDraft}
      onCommit={commit}
      onCancel={() => {
        isFocusWanted.current = true;
        setDraft(null);
      }}
    />
  );
}

interface EditorProps {
  draft: string;
  label: string;
  isSaving: boolean;
  isMultiline: boolean;
  maxLength: number | undefined;
  onDraft: (draft: string) => void;
  onCommit: (byKeyboard: boolean) => void;
  onCancel: () => void;
}

function Editor({ draft, label, isSaving, isMultiline, maxLength, onDraft, onCommit, onCancel }: EditorProps) {
  const input = useRef<HTMLTextAreaElement>(null);
  useEffect(() => input.current?.select(), []);

  const onKeyDown = (event: KeyboardEvent) => {
    if (event.nativeEvent.isComposing) return;
    if (event.key === 'Escape') {
      event.stopPropagation();
      onCancel();
    }
    if (event.key === 'Enter' && !(isMultiline && event.shiftKey)) {
      event.preventDefault();
      onCommit(true);
    }
  };

  return (
    <textarea
      ref={input}
      className={isMultiline ? `${styles.editor} ${styles.lines}` : styles.editor}
      rows={isMultiline ? 2 : 1}
      value={draft}
      aria-label={label}
      aria-busy={isSaving}
      readOnly={isSaving}
      maxLength={maxLength}
      onChange={(event) => onDraft(isMultiline ? event.target.value : event.target.value.replaceAll('\n', ' '))}
      onBlur={() => onCommit(false)}
      onKeyDown={onKeyDown}
    />
  );
}
