import { secretMask } from '@telltale/domain/forms/type-schema.ts';

/** The text typed into a field that showed a saved secret: never a mixture of dashes and letters, which would be saved. */
export function typedOverMask(before: string, after: string): string {
  if (before !== secretMask) return after;
  if (after.length < secretMask.length) return after.replaceAll('-', '');
  return after.replace(secretMask, '');
}
