import { type DialectRules, reserved, standard } from './rules.ts';

/** Reserved names were found by trying the engine's keywords as names. */
export const sqlite: DialectRules = {
  ...standard,
  nameQuotes: '"`[',
  reservedNames:
    reserved(`add all alter and as autoincrement between case cast check collate commit constraint create current_date current_time
    current_timestamp default deferrable delete distinct drop else escape except exists foreign from group having in index insert
    intersect into is isnull join limit not nothing notnull null on or order primary raise references returning select set table
    then to transaction union unique update using values when where`),
  hasSchemas: false,
  limits: { ...standard.limits, followsParenthesis: false },
  formatter: 'sqlite',
  editor: 'SQLite',
};
