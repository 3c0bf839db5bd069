import type { QueryParameter } from '@telltale/domain/parameters/contract.ts';
import { parametersInUse, rememberParameters } from '@telltale/domain/parameters/placeholders.ts';
import type { Query } from '@telltale/domain/queries/contract.ts';
import { databaseOf } from '@telltale/domain/queries/query-database.ts';

export const newQueryName = 'New Query';

interface Details {
  name: string;
  description: string | null;
  tags: string[];
}

/** The text and parameters that a new query starts with. */
export interface QueryStart {
  text: string;
  parameters: readonly QueryParameter[];
}

/** A query while it is edited: the saved query, and everything that is not saved yet. */
export interface EditedState {
  saved: Query | null;
  /** The details of a query that has never been saved. */
  fresh: Details;
  /** The text that the edits began with; the text is dirty while it differs. */
  baseline: string;
  text: string;
  /** The version of the baseline: a save with it fails when somebody else has saved another text since. */
  textVersion: number;
  definitions: readonly QueryParameter[];
  /** Parameters were changed that wait for the next save. */
  hasNewDefinitions: boolean;
  sourceId: number | null;
  autoLimit: boolean;
  database: string | null;
  isSaving: boolean;
  /** A text that the editor has to take over; a new object for each time. */
  editorText: { text: string } | null;
}

export type EditedAction =
  | { type: 'typed'; text: string }
  | { type: 'detailsTyped'; details: Partial<Details> }
  | { type: 'adopted'; query: Query; text?: string }
  | { type: 'restored'; text: string }
  | { type: 'detailsSaved'; reply: Query; hasOptions: boolean }
  | { type: 'savedChanged'; change: (before: Query | null) => Query | null }
  | { type: 'saving' }
  | { type: 'saveEnded'; reply?: Query }
  | { type: 'sourceChosen'; sourceId: number; database: string | null; start: QueryStart }
  | { type: 'sourceRefused' }
  | { type: 'parametersChanged'; definitions: readonly QueryParameter[]; isPending: boolean }
  | { type: 'parametersPending' }
  | { type: 'databaseChosen'; database: string | null }
  | { type: 'autoLimitSet'; isOn: boolean };

interface Start {
  initial: Query | null;
  start: QueryStart;
  sourceId: number | null;
  /** Remembered from the last query; a saved query has its own. */
  autoLimit: boolean;
  database: string | null;
}

export const startEdited = ({ initial, start, sourceId, autoLimit, database }: Start): EditedState => ({
  saved: initial,
  fresh: { name: newQueryName, description: null, tags: [] },
  baseline: initial?.query ?? start.text,
  text: initial?.query ?? start.text,
  textVersion: initial?.version ?? 0,
  definitions: initial?.options.parameters ?? start.parameters,
  hasNewDefinitions: false,
  sourceId: initial ? initial.data_source_id : sourceId,
  autoLimit: initial ? (initial.options.apply_auto_limit ?? false) : autoLimit,
  database: initial ? databaseOf(initial.options) : database,
  isSaving: false,
  editorText: null,
});

export function reduceEdited(state: EditedState, action: EditedAction): EditedState {
  switch (action.type) {
    case 'typed':
      return { ...state, text: action.text };
    case 'detailsTyped':
      return { ...state, fresh: { ...state.fresh, ...action.details } };
    case 'adopted':
      return adopt(state, action.query, action.text);
    case 'restored':
      return { ...state, text: action.text, editorText: { text: action.text } };
    case 'detailsSaved':
      return detailsSaved(state, action.reply, action.hasOptions);
    case 'savedChanged':
      return { ...state, saved: action.change(state.saved) };
    case 'saving':
      return { ...state, isSaving: true };
    case 'saveEnded':
      return { ...(action.reply ? textSaved(state, action.reply) : state), isSaving: false };
    case 'sourceChosen': {
      const chosen = { ...state, sourceId: action.sourceId, database: action.database };
      // A template that nobody has touched follows the source.
      if (state.saved || isTextDirty(state)) return chosen;
      const { text, parameters } = action.start;
      return { ...chosen, baseline: text, text, definitions: parameters };
    }
    case 'sourceRefused':
      return { ...state, sourceId: state.saved?.data_source_id ?? state.sourceId };
    case 'parametersChanged':
      return { ...state, definitions: action.definitions, hasNewDefinitions: state.hasNewDefinitions || action.isPending };
    case 'parametersPending':
      return { ...state, hasNewDefinitions: true };
    case 'databaseChosen':
      return { ...state, database: action.database };
    case 'autoLimitSet':
      return { ...state, autoLimit: action.isOn };
  }
}

/** Shows a query as it is on the server now; the text may hold more than was saved. */
const adopt = (state: EditedState, query: Query, text = query.query): EditedState => ({
  ...state,
  saved: { ...query, can_edit: query.can_edit ?? state.saved?.can_edit ?? true },
  baseline: query.query,
  text,
  textVersion: query.version,
  definitions: rememberParameters(
    query.options.parameters,
    state.definitions.filter(({ name }) => !query.options.parameters.some((one) => one.name === name)),
  ),
  hasNewDefinitions: false,
  sourceId: query.data_source_id,
  database: databaseOf(query.options),
  autoLimit: query.options.apply_auto_limit ?? false,
  editorText: { text },
});

/**
 * Details are saved alone, so unsaved text survives. Another text that somebody else has saved meanwhile is shown where nothing was
 * typed; otherwise the next save asks what to do.
 */
function detailsSaved(state: EditedState, reply: Query, hasOptions: boolean): EditedState {
  const isSameText = reply.query === state.baseline;
  const next = isSameText ? { ...state, textVersion: reply.version } : isTextDirty(state) ? state : adopt(state, reply);
  const { query: _, options, can_edit: __, ...details } = reply;
  return { ...next, saved: next.saved && { ...next.saved, ...details, ...(hasOptions && { options }) } };
}

const textSaved = (state: EditedState, reply: Query): EditedState => ({
  ...state,
  saved: { ...reply, can_edit: reply.can_edit ?? true },
  baseline: reply.query,
  textVersion: reply.version,
  definitions: reply.options.parameters,
  hasNewDefinitions: false,
});

export const isTextDirty = ({ text, baseline }: EditedState): boolean => text !== baseline;

export const isLimitDirty = ({ saved, text, autoLimit }: EditedState): boolean =>
  saved !== null && text.trim() !== '' && autoLimit !== (saved.options.apply_auto_limit ?? false);

/** The query would run in another database than the saved one. */
export const isElsewhere = ({ saved, database }: EditedState): boolean => saved !== null && database !== databaseOf(saved.options);

export const isDirty = (state: EditedState): boolean =>
  isTextDirty(state) || isLimitDirty(state) || isElsewhere(state) || state.hasNewDefinitions;

/** All known definitions, the changed ones first and in their new order. */
export function orderedDefinitions(definitions: readonly QueryParameter[], next: readonly QueryParameter[]): QueryParameter[] {
  const all = rememberParameters(definitions, next);
  const known = new Map(all.map((definition) => [definition.name, definition]));
  const names = [...next, ...all.filter(({ name }) => !next.some((one) => one.name === name))].map(({ name }) => name);
  return names.flatMap((name) => known.get(name) ?? []);
}

export const usedParameters = ({ text, definitions }: Pick<EditedState, 'text' | 'definitions'>) => parametersInUse(text, definitions);
