import type { Annotation } from '@telltale/domain/dashboards/annotations.ts';
import { Button, DatePicker, Input, type InputRef } from 'antd';
import dayjs, { type Dayjs } from 'dayjs';
import { useEffect, useId, useRef, useState } from 'react';
import { momentFormat } from '../../ui/momentText.ts';
import styles from './Annotations.module.css';
import { useAddAnnotation, useSaveAnnotation } from './useAnnotations.ts';

interface AnnotationFormProps {
  dashboardId: number;
  /** The note that is changed; null for a new one. */
  note: Annotation | null;
  onDone: () => void;
}

/** Shown with the month as a word; digits alone can be typed as well. */
const picker = { showTime: { format: 'HH:mm' }, format: [momentFormat.minute, 'YYYY-MM-DD HH:mm'], needConfirm: false };

export function AnnotationForm({ dashboardId, note, onDone }: AnnotationFormProps) {
  const id = useId();
  const input = useRef<InputRef>(null);
  const [text, setText] = useState(note?.text ?? '');
  const [at, setAt] = useState<Dayjs | null>(() => dayjs(note?.at));
  const [until, setUntil] = useState<Dayjs | null>(() => (note?.until ? dayjs(note.until) : null));
  const [fault, setFault] = useState('');
  const add = useAddAnnotation();
  const save = useSaveAnnotation();
  useEffect(() => {
    if (note) input.current?.focus({ cursor: 'end' });
  }, [note]);

  const submit = async () => {
    if (!at) return;
    setFault('');
    const body = { at: at.toISOString(), until: until?.toISOString() ?? null, text };
    try {
      if (note) await save.mutateAsync({ params: { id: dashboardId, annotationId: note.id ?? 0 }, body });
      else await add.mutateAsync({ params: { id: dashboardId }, body });
      setText('');
      setUntil(null);
      onDone();
    } catch (error) {
      setFault(error instanceof Error ? error.message : 'Annotation could not be saved');
    }
  };
  return (
    <form
      className={styles.form}
      aria-label={note ? 'Edit annotation' : 'New annotation'}
      onSubmit={(event) => {
        event.preventDefault();
        void submit();
      }}
    >
      <label htmlFor={`${id}-text`}>Text</label>
      <Input
        ref={input}
        id={`${id}-text`}
        value={text}
        maxLength={500}
        autoComplete="off"
        onChange={({ target }) => setText(target.value)}
      />
      <label htmlFor={`${id}-at`}>Time</label>
      <DatePicker {...picker} id={`${id}-at`} value={at} onChange={setAt} allowClear={false} />
      <label htmlFor={`${id}-until`}>End (optional)</label>
      <DatePicker {...picker} id={`${id}-until`} value={until} onChange={setUntil} />
      <span />
      <div className={styles.actions}>
        <Button type="primary" htmlType="submit" disabled={text.trim() === '' || at === null} loading={add.isPending || save.isPending}>
          {note ? 'Save annotation' : 'Add annotation'}
        </Button>
        {note && <Button onClick={onDone}>Cancel</Button>}
        {fault && (
          <p className={styles.fault} role="alert">
            {fault}
          </p>
        )}
      </div>
    </form>
  );
}
