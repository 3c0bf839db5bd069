import type { DataSource } from '@telltale/domain/data-sources/contract.ts';
import { parametersInUse } from '@telltale/domain/parameters/placeholders.ts';
import { type Query, queriesApi } from '@telltale/domain/queries/contract.ts';
import { statementAt } from '@telltale/domain/sql/statements.ts';
import type { RefObject } from 'react';
import { errorReason } from '../api/ApiError.ts';
import { useWrite } from '../api/query.ts';
import { notify } from '../ui/notify.tsx';
import type { EditorHandle } from './editor/editorHandle.ts';
import type { Values } from './parameters/parameterValues.ts';
import type { ParameterState } from './parameters/useParameterValues.ts';
import { isSelectionUsed } from './run/runRequest.ts';
import type { EditedQuery } from './useEditedQuery.ts';
import { type useQueryExecution, wholeText } from './useQueryExecution.ts';

interface EditorActions {
  editor: RefObject<EditorHandle | null>;
  edited: EditedQuery;
  source: DataSource | undefined;
  state: ParameterState;
  execution: ReturnType<typeof useQueryExecution>;
  onCreated: (query: Query) => void;
}

/** The actions on the text in the editor, which is newer than the page's copy of it. */
export function useEditorActions({ editor, edited, source, state, execution, onCreated }: EditorActions) {
  const { run, execute, canExecute } = execution;
  const format = useWrite(queriesApi.format, { failed: (error) => errorReason(error) ?? 'Failed to format query: unknown error.' });
  const syntax = source?.syntax ?? 'sql';
  const hasFormat = syntax === 'sql' || syntax === 'json';
  const canFormat = edited.canEdit && hasFormat;
  const isPending = state.pendingNames.length > 0;
  const textNow = () => editor.current?.read()?.text ?? edited.text;
  const valuesIn = (text: string) => state.appliedTo(parametersInUse(text, edited.definitions));

  const setText = (text: string) => {
    editor.current?.replaceAll(text);
    edited.setText(text);
  };
  /** The selection if there is one; else, on request, the statement at the cursor; else the whole text. */
  const executePart = (isStatement: boolean) => {
    if (!canExecute || isPending || run.isRunning) return;
    const read = editor.current?.read() ?? { text: edited.text, selection: '', cursor: 0, lineOffset: 0, columnOffset: 0 };
    const { text, selection, cursor, lineOffset, columnOffset } = read;
    const values = valuesIn(text);
    if (isSelectionUsed(selection)) return execute({ text: selection, isPart: true, lineOffset, columnOffset }, values);
    const statement = isStatement && syntax === 'sql' ? statementAt(text, source?.dialect ?? 'generic', cursor) : null;
    if (!statement) return execute({ text, ...wholeText }, values);
    const above = text.slice(0, statement.start).split('\n');
    const at = { lineOffset: above.length - 1, columnOffset: above.at(-1)?.length ?? 0 };
    execute({ text: statement.text, isPart: statement.text !== text, ...at }, values);
  };
  const executeWith = (values: Values) => {
    if (canExecute) execute({ text: textNow(), ...wholeText }, values);
  };
  /** Answers the saved query, or null when it was not saved. */
  const save = async (): Promise<Query | null> => {
    if (!edited.canEdit) return null;
    const isNew = edited.saved === null;
    const text = textNow();
    edited.setText(text);
    const reply = await edited.save(text, valuesIn(text));
    if (reply && isNew) onCreated(reply);
    return reply;
  };
  const reformat = async () => {
    if (!edited.canEdit) return;
    if (!hasFormat) return notify.warning('Query formatting is not supported for your data source syntax.');
    const text = textNow();
    const reply = await format.mutateAsync({ body: { query: text, syntax, data_source_id: edited.sourceId } }).catch(() => null);
    // A text that was changed meanwhile is not replaced.
    if (reply && textNow() === text) setText(reply.query);
  };
  return { setText, executePart, executeWith, save, reformat, canFormat, isFormatting: format.isPending, isPending, syntax };
}
