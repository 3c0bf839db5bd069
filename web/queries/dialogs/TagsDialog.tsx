import { queriesApi } from '@telltale/domain/queries/contract.ts';
import { recordEvent } from '../../api/events.ts';
import { useRead } from '../../api/query.ts';
import { TagsDialog } from '../../ui/TagsDialog.tsx';
import type { EditedQuery } from '../useEditedQuery.ts';

export default function QueryTagsDialog({ edited, onClose }: { edited: EditedQuery; onClose: () => void }) {
  const known = useRead(queriesApi.tags, {});
  const save = async (tags: string[]) => {
    await edited.saveDetails({ tags });
    if (edited.saved) recordEvent('edit_tags', 'query', edited.saved.id);
  };
  return (
    <TagsDialog tags={edited.tags} known={known.isError ? [] : known.data?.tags.map(({ name }) => name)} onSave={save} onClose={onClose} />
  );
}
