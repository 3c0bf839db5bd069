/** A depth that exceeds hand-written values, and that every later program can read without running out of stack. */
export const deepestJson = 64;

const isNested = (item: unknown): item is object => typeof item === 'object' && item !== null;

/** Loops instead of recursing, because the value may be nested deeper than the stack. */
export function isShallow(value: unknown): boolean {
  let level = [value].filter(isNested);
  for (let depth = 0; level.length > 0; depth++) {
    if (depth === deepestJson) return false;
    level = level.flatMap((item) => Object.values(item).filter(isNested));
  }
  return true;
}

export const tooDeepMessage = 'The options are nested too deeply.';
