import { commonReserved, type DialectRules, eitherLineEnd, lowerCaseName, reserved, standard } from './rules.ts';

/** The connector keeps `standard_conforming_strings` on. Reserved names were found by trying PostgreSQL 18's keywords as names. */
export const postgres: DialectRules = {
  ...standard,
  escapeStrings: true,
  dollarTag: /\$(?:[A-Za-z_\u0080-\uffff][A-Za-z0-9_\u0080-\uffff]*)?\$/y,
  nestedComments: true,
  lineEnd: eitherLineEnd,
  plainName: lowerCaseName,
  reservedNames: reserved(
    commonReserved,
    `current_catalog current_date current_role current_schema current_time current_timestamp current_user grant localtime
    localtimestamp session_user system_user user`,
  ),
  formatter: 'postgresql',
  editor: 'PostgreSQL',
};
