import { readLocal, writeLocal } from './localOptions.ts';

/** Complaint 1: unsaved text survives a crash of the tab. */
export interface LocalDraft {
  text: string;
  /** ISO text. */
  at: string;
}

const isDraft = (value: unknown): value is LocalDraft =>
  typeof value === 'object' && value !== null && 'text' in value && typeof value.text === 'string' && 'at' in value;

const keyOf = (queryId: number | null) => `telltale:draft:${queryId ?? 'new'}`;

export const readDraft = (queryId: number | null): LocalDraft | null => readLocal<LocalDraft | null>(keyOf(queryId), null, isDraft);
export const writeDraft = (queryId: number | null, text: string): void =>
  writeLocal(keyOf(queryId), { text, at: new Date().toISOString() });
export const dropDraft = (queryId: number | null): void => writeLocal(keyOf(queryId), null);
