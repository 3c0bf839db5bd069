import { isOwnerOrAdmin } from '@telltale/domain/access/permissions.ts';
import type { QuerySnippet } from '@telltale/domain/query-snippets/contract.ts';
import { useEffect } from 'react';
import { useSession } from '../../api/session.ts';
import { Dialog } from '../../ui/Dialog.tsx';
import { FormDialog } from '../../ui/FormDialog.tsx';
import type { Field, FormValues } from '../../ui/form/field.ts';
import { notify } from '../../ui/notify.tsx';
import styles from '../dialogs/Dialogs.module.css';
import { useCreateSnippet, useSaveSnippet, useSnippet } from './useSnippets.ts';

const fieldsOf = (snippet: QuerySnippet | null): Field[] => [
  {
    name: 'trigger',
    title: 'Trigger',
    type: 'text',
    required: true,
    initialValue: snippet?.trigger ?? '',
    info: 'Type it in a query and press Tab or Enter.',
    autoFocus: true,
    autoComplete: 'off',
  },
  { name: 'description', title: 'Description', type: 'text', initialValue: snippet?.description ?? '', autoComplete: 'off' },
  { name: 'snippet', title: 'Snippet', type: 'textarea', required: true, initialValue: snippet?.snippet ?? '' },
];

/** Screens 12.4: a form for its author and administrators, read-only for others. */
export default function SnippetDialog({ id, onClose }: { id: number | null; onClose: () => void }) {
  const { user } = useSession();
  const read = useSnippet(id);
  const create = useCreateSnippet();
  const save = useSaveSnippet();
  const { error } = read;

  useEffect(() => {
    if (!error) return;
    notify.error(error.status === 404 ? 'This query snippet does not exist any more.' : error.message);
    onClose();
  }, [error, onClose]);

  if (id !== null && !read.data) return null;
  const snippet = read.data ?? null;
  if (snippet && !isOwnerOrAdmin(user, snippet.user.id)) return <SnippetView snippet={snippet} onClose={onClose} />;

  const submit = ({ trigger, description, snippet: text }: FormValues) => {
    const body = { trigger: String(trigger ?? ''), description: String(description ?? ''), snippet: String(text ?? '') };
    return snippet ? save.mutateAsync({ params: { id: snippet.id }, body }) : create.mutateAsync({ body });
  };
  return (
    <FormDialog
      title={snippet ? snippet.trigger : 'Create Query Snippet'}
      okText={snippet ? 'Save' : 'Create'}
      fields={fieldsOf(snippet)}
      onSubmit={submit}
      onClose={onClose}
      showsErrors
      width={600}
    />
  );
}

function SnippetView({ snippet, onClose }: { snippet: QuerySnippet; onClose: () => void }) {
  return (
    <Dialog title={snippet.trigger} okText="Close" hasCancel={false} onClose={onClose} closesOnMask width={600}>
      <div className={styles.stack}>
        {snippet.description && <p>{snippet.description}</p>}
        <pre>{snippet.snippet}</pre>
      </div>
    </Dialog>
  );
}
