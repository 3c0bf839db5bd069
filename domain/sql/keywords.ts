/**
 * Words that shape a statement in some dialect. A parameter's value that is one of them is no name but could change
 * what the statement means, so it is written as a text instead (W1). ASC, DESC, TRUE, FALSE and NULL are values.
 */
const reserved = new Set(
  `all alter analyze and anti any array as asof at attach begin between binary both by call case cast collate column commit copy create
  cross cube cursor database declare default delete describe detach distinct div do drop else end escape except exec execute exists explain
  export extract fetch final following for foreign format from full function glob global grant group grouping having if ignore ilike import
  in index inner insert install intersect interval into is isnull join kill lateral leading left like limit load lock match merge minus
  mod natural not nothing notnull of offset on only optimize or order outer outfile over overlaps partition pivot pragma preceding prewhere
  primary procedure qualify range recursive references regexp rename replace returning revoke right rlike rollback rollup row rows sample
  select semi separator set settings show similar some straight_join summarize table then to top totals trailing truncate unbounded union
  unique unpivot update use using vacuum values view when where window with within xor
  current_catalog current_date current_role current_schema current_time current_timestamp current_user localtime localtimestamp
  session_user sysdate system_user user utc_date utc_time utc_timestamp`.split(/\s+/),
);

export const isReserved = (word: string): boolean => reserved.has(word.toLowerCase());
