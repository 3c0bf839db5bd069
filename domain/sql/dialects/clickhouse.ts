import { commonReserved, type DialectRules, isNestedComment, reserved, standard, wideSpaces } from './rules.ts';

/** ClickHouse takes nearly every word as a name, but not everywhere. */
export const clickhouse: DialectRules = {
  ...standard,
  nameQuotes: '"`',
  backslashIn: `'"\``,
  dollarTag: /\$[A-Za-z0-9_\u0080-\uffff]*\$/y,
  nestedComments: true,
  lineComment: /--|\/\/|#(?=[ !])/y,
  ...wideSpaces,
  isAmbiguous({ kind, text }) {
    if (kind === 'block-comment') return isNestedComment(text);
    return (kind === 'operator' && text === '$') || (kind === 'word' && /[‘’“”]/.test(text));
  },
  reservedNames: reserved(
    commonReserved,
    `anti asof between cube final format global inf infinity interval nan prewhere rollup sample semi settings totals`,
  ),
  minuteSuffix: ':00',
  limits: {
    followsParenthesis: false,
    startsWithFrom: true,
    boundsLastBranchOnly: true,
    hasTop: true,
    hasLimitBy: true,
    isTail(word, next, later) {
      if (word === 'SETTINGS') return later === '=';
      return word === 'FORMAT' && /^\w+$/.test(next) && !['ASC', 'DESC'].includes(next) && (later === undefined || later === 'SETTINGS');
    },
  },
  formatter: 'clickhouse',
  editor: 'StandardSQL',
};
