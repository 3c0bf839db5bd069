import { type Query, type QueryChanges, queriesApi } from '@telltale/domain/queries/contract.ts';
import { databaseOf } from '@telltale/domain/queries/query-database.ts';
import { ApiError, call } from '../api/call.ts';
import { confirm } from '../ui/confirm.tsx';
import { notify } from '../ui/notify.tsx';
import { isDeepEqual } from '../visualizations/isDeepEqual.ts';

const conflictKey = 'query-conflict';
/** Q8 */
const conflictText =
  'Changes not saved — It seems like the query has been modified by another user. Please copy/backup your changes and reload this page.';
const overwriteText =
  'It seems like the query has been modified by another user. Are you sure you want to overwrite the query with your version?';

/** Conflicts are rare, and their parts are large. */
const loadConflict = () => Promise.all([import('./versions/ConflictDialog.tsx'), import('./versions/mergeLines.ts')]);

const isConflict = (error: unknown): boolean => error instanceof ApiError && error.status === 409;

async function post(id: number, body: QueryChanges): Promise<Query> {
  const reply = await call(queriesApi.save, { params: { id }, body });
  notify.close(conflictKey);
  return reply;
}

/** The query as another user has saved it meanwhile. */
async function readTheirs(id: number): Promise<Query> {
  const theirs = await call(queriesApi.get, { params: { id } });
  if (!('query' in theirs)) throw new ApiError(403, '');
  return theirs;
}

const tellConflict = () => notify.error(conflictText, { duration: 0, key: conflictKey });

/** Saves name, description, tags or state. Fields that no other user changed are no conflict. Null when not saved. */
export async function saveFields(saved: Query, changes: QueryChanges): Promise<Query | null> {
  try {
    return await post(saved.id, { ...changes, version: saved.version });
  } catch (error) {
    if (!isConflict(error)) throw error;
    const theirs = await readTheirs(saved.id);
    const isTouched = (Object.keys(changes) as (keyof Query)[]).some((field) => !isDeepEqual(theirs[field], saved[field]));
    if (!isTouched) return saveFields({ ...saved, version: theirs.version }, changes);
    const isMeant = await confirm({ title: 'Overwrite Query', content: overwriteText, okText: 'Overwrite', danger: true });
    if (isMeant) return post(saved.id, changes);
    tellConflict();
    return null;
  }
}

/** The settings of a run beside the text. */
const aroundTheText = ({ options, data_source_id }: Query) => ({
  parameters: options.parameters,
  isLimited: options.apply_auto_limit ?? false,
  database: databaseOf(options),
  data_source_id,
});

export interface TextToSave {
  saved: Query;
  /** The text and the version that the edit is based on. */
  baseline: string;
  version: number;
  body: QueryChanges & { query: string };
}

/** The query was saved; or the other user's query is shown with this text, and nothing is saved yet; or null for nothing. */
export type TextOutcome = { saved: Query } | { adopted: Query; text: string } | null;

/** W18: a save never overwrites the text of another user unseen. The second one to save sees both texts and decides. */
export async function saveText({ saved, baseline, version, body }: TextToSave): Promise<TextOutcome> {
  try {
    return { saved: await post(saved.id, { ...body, version }) };
  } catch (error) {
    if (!isConflict(error)) throw error;
    const theirs = await readTheirs(saved.id);
    const again = () => saveText({ saved, baseline, version: theirs.version, body });
    const isSameText = theirs.query === baseline || theirs.query === body.query;
    const isSameRest = isDeepEqual(aroundTheText(theirs), aroundTheText(saved));
    if (isSameText && isSameRest) return again();
    const [{ askAboutConflict }, { mergeTexts }] = await loadConflict();
    const merged = mergeTexts(baseline, body.query, theirs.query);
    const answer = await askAboutConflict({ mine: body.query, theirs, merged: isSameText ? null : merged, isSameRest });
    if (answer === 'overwrite') return again();
    if (answer === 'merge' && merged !== null) return { adopted: theirs, text: merged };
    if (answer === 'theirs') return { adopted: theirs, text: theirs.query };
    tellConflict();
    return null;
  }
}
