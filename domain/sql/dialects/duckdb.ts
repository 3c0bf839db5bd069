import { postgres } from './postgres.ts';
import { anyCaseName, commonReserved, type DialectRules, hasDollarTag, isNestedComment, reserved, wideSpaces } from './rules.ts';

/** Reserved names were found by trying the engine's keywords as names. */
export const duckdb: DialectRules = {
  ...postgres,
  ...wideSpaces,
  /** DuckDB has two parsers, which disagree about these. */
  isAmbiguous({ kind, text, escapes }) {
    if (kind === 'block-comment') return isNestedComment(text);
    if (kind === 'string') return escapes === true && text.includes("\\'");
    return kind === 'word' && hasDollarTag(text);
  },
  plainName: anyCaseName,
  reservedNames: reserved(
    commonReserved,
    `anti asof at by describe glob lambda pivot pivot_longer pivot_wider positional qualify semi show summarize unpack unpivot`,
  ),
  limits: { ...postgres.limits, startsWithFrom: true },
  formatter: 'duckdb',
};
