import type { UserCtx } from '../platform/context.ts';
import { conflict } from '../platform/errors.ts';

/** The fields of a saved object that describe its last edit. */
interface Edited {
  version: number;
  last_modified_by_id: number | null;
  /** The version before the last editor's unbroken run of edits. */
  own_base: number;
}

/**
 * W18: a save from an older version fails, because it would overwrite another user's work. Clients resend the version they created an
 * object with, so an editor who made every edit since that version passes. Without a version the caller means to overwrite (design 8).
 */
export function requireFresh({ user: { id: editor } }: UserCtx, before: Edited, version: number | undefined, message: string): void {
  if (version === undefined || version === before.version) return;
  const isOwn = before.last_modified_by_id === editor && version >= before.own_base && version < before.version;
  if (!isOwn) throw conflict(message);
}
