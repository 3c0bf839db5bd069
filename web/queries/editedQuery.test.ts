import type { Query } from '@telltale/domain/queries/contract.ts';
import { describe, expect, test } from 'vitest';
import { type EditedAction, isDirty, isTextDirty, orderedDefinitions, reduceEdited, startEdited } from './editedQuery.ts';

const parameter = (name: string) => ({ name, title: name, type: 'text', value: 'x' }) as never;
const query = (changes: Partial<Query> = {}): Query =>
  ({
    ...{ id: 7, name: 'Pumps', query: 'select 1', version: 3, data_source_id: 1, can_edit: true },
    options: { parameters: [], apply_auto_limit: true },
    ...changes,
  }) as unknown as Query;
const start = { text: 'template', parameters: [parameter('device')] };
const begin = (initial: Query | null = query(), ...actions: EditedAction[]) =>
  actions.reduce(reduceEdited, startEdited({ initial, start, sourceId: 2, autoLimit: false, database: 'plant' }));

describe('a query while it is edited', () => {
  test('a new query starts with the template and what was remembered, a saved one with its own', () => {
    expect(begin(null)).toMatchObject({ text: 'template', sourceId: 2, autoLimit: false, database: 'plant', saved: null });
    expect(begin()).toMatchObject({ text: 'select 1', sourceId: 1, autoLimit: true, database: null, textVersion: 3 });
    expect(isDirty(begin(null))).toBe(false);
    expect(isDirty(begin())).toBe(false);
  });

  test('typing makes it dirty; typing it back does not', () => {
    const typed = begin(query(), { type: 'typed', text: 'select 2' });
    expect(isTextDirty(typed)).toBe(true);
    expect(isDirty(reduceEdited(typed, { type: 'typed', text: 'select 1' }))).toBe(false);
  });

  test('saved details leave typed text alone, and a newer text of somebody else is left to the next save', () => {
    const reply = query({ name: 'Pumps north', query: 'select 9', version: 5, data_source_id: 4 });
    const kept = begin(query(), { type: 'typed', text: 'mine' }, { type: 'detailsSaved', reply, hasOptions: false });
    expect(kept).toMatchObject({ text: 'mine', baseline: 'select 1', textVersion: 3, saved: { name: 'Pumps north' }, editorText: null });
    const shown = begin(query(), { type: 'detailsSaved', reply, hasOptions: false });
    expect(shown).toMatchObject({ text: 'select 9', baseline: 'select 9', textVersion: 5, editorText: { text: 'select 9' } });
  });

  test('saved details of the same text move the version on, so that the next save is not refused', () => {
    const reply = query({ version: 4 });
    const typed = begin(query(), { type: 'typed', text: 'mine' }, { type: 'detailsSaved', reply, hasOptions: false });
    expect(typed).toMatchObject({ text: 'mine', textVersion: 4 });
  });

  test('options of the reply are taken over only when options were saved', () => {
    const reply = query({ options: { parameters: [parameter('limit')], apply_auto_limit: false } as never });
    expect(begin(query(), { type: 'detailsSaved', reply, hasOptions: false }).saved?.options.parameters).toEqual([]);
    expect(begin(query(), { type: 'detailsSaved', reply, hasOptions: true }).saved?.options.parameters).toHaveLength(1);
  });

  test('what was typed while a save ran stays, and is dirty', () => {
    const reply = query({ query: 'select 2', version: 4 });
    const state = begin(query(), { type: 'saving' }, { type: 'typed', text: 'select 23' }, { type: 'saveEnded', reply });
    expect(state).toMatchObject({ text: 'select 23', baseline: 'select 2', textVersion: 4, isSaving: false });
    expect(isTextDirty(state)).toBe(true);
    expect(begin(query(), { type: 'saving' }, { type: 'saveEnded' })).toMatchObject({ saved: { version: 3 }, isSaving: false });
  });

  test('an untouched template follows the source; a touched one stays', () => {
    const chosen: EditedAction = { type: 'sourceChosen', sourceId: 5, database: null, start: { text: '', parameters: [] } };
    expect(begin(null, chosen)).toMatchObject({ text: '', sourceId: 5, definitions: [] });
    expect(begin(null, { type: 'typed', text: 'mine' }, chosen)).toMatchObject({ text: 'mine', sourceId: 5 });
    expect(begin(query(), chosen, { type: 'sourceRefused' })).toMatchObject({ text: 'select 1', sourceId: 1 });
  });

  test('somebody else’s version is taken over and can be undone', () => {
    const theirs = query({ query: 'theirs', version: 8 });
    const state = begin(query(), { type: 'typed', text: 'mine' }, { type: 'adopted', query: theirs });
    expect(state).toMatchObject({ text: 'theirs', textVersion: 8, editorText: { text: 'theirs' } });
    expect(reduceEdited(state, { type: 'restored', text: 'mine' })).toMatchObject({ text: 'mine', editorText: { text: 'mine' } });
  });

  test('parameters that wait for a save make it dirty until it is saved', () => {
    const state = begin(query(), { type: 'parametersChanged', definitions: [parameter('a')], isPending: true });
    expect(isDirty(state)).toBe(true);
    expect(isDirty(reduceEdited(state, { type: 'saveEnded', reply: query({ version: 4 }) }))).toBe(false);
  });

  test('changed parameters come first, in their new order, and none is forgotten', () => {
    const names = orderedDefinitions([parameter('a'), parameter('b'), parameter('c')], [parameter('c'), parameter('a')]);
    expect(names.map(({ name }) => name)).toEqual(['c', 'a', 'b']);
  });
});
