import { recordEvent } from '../api/events.ts';
import { InlineEdit } from '../ui/InlineEdit.tsx';
import type { EditedQuery } from './useEditedQuery.ts';

export function QueryDescription({ edited, queryId }: { edited: EditedQuery; queryId: number }) {
  const save = async (description: string) => {
    await edited.saveDetails({ description });
    recordEvent('edit_description', 'query', queryId);
  };
  return (
    <InlineEdit
      value={edited.description}
      label="Description"
      placeholder="Add description"
      isMultiline
      isEditable={edited.canEdit}
      maxLength={4096}
      onSave={save}
    />
  );
}
