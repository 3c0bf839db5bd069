import type { DataSource } from '@telltale/domain/data-sources/contract.ts';

interface Asked {
  sourceId: number | null;
  /** Undefined where this user may not see it. */
  source: DataSource | undefined;
  canEdit: boolean;
  canExecute: boolean;
}

/** The reason why this user, or any user, cannot run the query; null when they can. */
export function runRefusal({ sourceId, source, canEdit, canExecute }: Asked): string | null {
  if (sourceId === null) return `The data source of this query was deleted.${canEdit ? ' Choose another one.' : ''}`;
  return canExecute && source ? null : 'You do not have a permission to execute/refresh this query.';
}

export const pendingRefusal = 'Apply the changed parameters first.';
