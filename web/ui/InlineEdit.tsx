import EditOutlined from '@ant-design/icons/EditOutlined';
import { type KeyboardEvent, useEffect, useRef, useState } from 'react';
import styles from './InlineEdit.module.css';
import { inlineEditOutcome } from './inlineEditOutcome.ts';

interface InlineValue {
  value: string;
  /** The name of the value, for screen readers. */
  label: string;
  /** A rejection keeps the editor open with its text. */
  onSave: (value: string) => unknown;
  isMultiline?: boolean;
  ignoreBlanks?: boolean;
  maxLength?: number;
}

interface InlineEditProps extends InlineValue {
  isEditable?: boolean;
  placeholder?: string;
}

/**
 * Screens 1.5: Enter and leaving commit, Escape cancels, Shift+Enter makes a new line in multi-line values. The editor stands in for the
 * shown element, which has the focus again after a key has ended it.
 */
export function useInlineEdit<E extends HTMLElement>({
  value,
  label,
  onSave,
  isMultiline = false,
  ignoreBlanks = false,
  maxLength,
}: InlineValue) {
  const [draft, setDraft] = useState<string | null>(null);
  const [isSaving, setSaving] = useState(false);
  const shown = useRef<E>(null);
  const isFocusWanted = useRef(false);

  useEffect(() => {
    if (draft !== null || !isFocusWanted.current) return;
    isFocusWanted.current = false;
    shown.current?.focus();
  }, [draft]);

  const commit = async (byKeyboard: boolean) => {
    if (draft === null || isSaving) return;
    const next = inlineEditOutcome(draft, value, ignoreBlanks);
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

  const editor = draft !== null && (
    <Editor
      draft={draft}
      label={label}
      isSaving={isSaving}
      isMultiline={isMultiline}
      maxLength={maxLength}
      onDraft={setDraft}
      onCommit={commit}
      onCancel={() => {
        isFocusWanted.current = true;
        setDraft(null);
      }}
    />
  );
  return { shown, editor, start: () => setDraft(value) };
}

export function InlineEdit({ isEditable = true, placeholder = '', ...edited }: InlineEditProps) {
  const { value, label } = edited;
  const { shown, editor, start } = useInlineEdit<HTMLButtonElement>(edited);
  if (!isEditable) return <span className={styles.text}>{value}</span>;
  if (editor) return editor;
  return (
    <button ref={shown} type="button" className={styles.shown} title={`Edit ${label}`} onClick={start}>
      <span className={value ? styles.text : styles.placeholder}>{value || placeholder}</span>
      <EditOutlined className={styles.pencil ?? ''} aria-hidden />
    </button>
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
