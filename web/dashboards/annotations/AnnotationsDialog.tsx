import DeleteOutlined from '@ant-design/icons/DeleteOutlined';
import EditOutlined from '@ant-design/icons/EditOutlined';
import type { Annotation } from '@telltale/domain/dashboards/annotations.ts';
import { Button } from 'antd';
import { useState } from 'react';
import { Dialog } from '../../ui/Dialog.tsx';
import { momentText } from '../../ui/momentText.ts';
import { Tooltip } from '../../ui/Tooltip.tsx';
import { AnnotationForm } from './AnnotationForm.tsx';
import styles from './Annotations.module.css';
import { useAnnotations, useRemoveAnnotation } from './useAnnotations.ts';

/** Notes at a moment, or over a stretch of time, on every time chart of this dashboard. */
export default function AnnotationsDialog({ dashboardId, onClose }: { dashboardId: number; onClose: () => void }) {
  const notes = useAnnotations(dashboardId).filter(({ kind }) => kind === 'note');
  const [edited, setEdited] = useState<Annotation | null>(null);
  const remove = useRemoveAnnotation(dashboardId);
  const removeNote = (note: Annotation) => {
    if (note.id === edited?.id) setEdited(null);
    remove(note);
  };
  return (
    <Dialog title="Annotations" hasFooter={false} width={560} onClose={onClose}>
      <AnnotationForm
        key={edited?.id ?? 'new'}
        dashboardId={dashboardId}
        note={edited}
        onDone={() => setEdited((now) => (now?.id === edited?.id ? null : now))}
      />
      {notes.length === 0 ? (
        <p className={styles.none}>There are no annotations yet. Alerts on what this dashboard shows are marked automatically.</p>
      ) : (
        <ul className={styles.list} aria-label="Annotations">
          {notes.map((note) => (
            <li key={note.id} aria-current={note.id === edited?.id ? 'true' : undefined}>
              <time dateTime={note.at}>
                {momentText(note.at)}
                {note.until && ` – ${momentText(note.until)}`}
              </time>
              <span>
                {note.text}
                {note.user_name && <small> {note.user_name}</small>}
              </span>
              <span className={styles.tools}>
                <Tooltip title="Edit">
                  <Button
                    size="small"
                    type="text"
                    icon={<EditOutlined />}
                    aria-label={`Edit ${note.text}`}
                    onClick={() => setEdited(note)}
                  />
                </Tooltip>
                <Tooltip title="Delete">
                  <Button
                    size="small"
                    type="text"
                    danger
                    icon={<DeleteOutlined />}
                    aria-label={`Delete ${note.text}`}
                    onClick={() => removeNote(note)}
                  />
                </Tooltip>
              </span>
            </li>
          ))}
        </ul>
      )}
    </Dialog>
  );
}
