/** A sampler for property tests: the same seed gives the same samples, so a failure can be repeated. */
export interface Sampler {
  below: (n: number) => number;
  pick: <T>(items: readonly T[]) => T;
  /** Up to `longest` pieces of the list, joined. */
  text: (pieces: readonly string[], longest: number) => string;
}

export function sampler(seed: number): Sampler {
  let state = seed >>> 0;
  const next = () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296;
  };
  const below = (n: number) => Math.floor(next() * n);
  const pick = <T>(items: readonly T[]): T => {
    const item = items[below(items.length)];
    if (item === undefined) throw new RangeError('nothing to pick from');
    return item;
  };
  return { below, pick, text: (pieces, longest) => Array.from({ length: below(longest + 1) }, () => pick(pieces)).join('') };
}

/** Pieces that break naive SQL: every quote, comment, escape and terminator of the dialects, and their surroundings. */
export const sqlShards: readonly string[] = [
  ...'\'"`\\$;-/*#[](){}.,=<>|&@:!?%+~^ \n\r\t_09aEeNnqQxXUuéʼ’‘＇😀',
  ...[
    "''",
    '""',
    '``',
    '--',
    '-- ',
    '/*',
    '*/',
    '/*!',
    '/*M!',
    '//',
    '# ',
    '$$',
    '$a$',
    "\\'",
    '\\\\',
    "E'",
    "U&'",
    "q'[",
    ']]',
    '{{',
    '}}',
  ],
  ...[
    "' OR 1=1 --",
    "'; drop table t; --",
    ' union select ',
    ' limit 5',
    'select',
    ' from ',
    ' and ',
    '\r\n',
    '\u00a0',
    '\u2028',
    '1e5',
    '0x1F',
  ],
];
