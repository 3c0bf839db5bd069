import type { Dialect } from './dialect.ts';

/** What neither PostgreSQL nor DuckDB takes for a name of a table or a column. */
const common = `all analyse analyze and any array as asc asymmetric authorization binary both case cast check collate collation column
    concurrently constraint create cross default deferrable desc distinct do else end except false fetch for foreign freeze from
    full group having ilike in initially inner intersect into is isnull join lateral leading left like limit natural not notnull
    null offset on only or order outer overlaps placing primary references returning right select similar some symmetric table
    tablesample then to trailing true union unique using variadic verbose when where window with`;

/**
 * Words that a table or a column may be called only between quotes. Found by trying the keywords of PostgreSQL 18, DuckDB, MariaDB and
 * SQLite as names of both, in select lists, conditions, groups and joins; MySQL 8's and Redshift's by their manuals. ClickHouse takes
 * nearly every word, but not everywhere.
 */
const texts: Record<Dialect, string> = {
  postgres: `current_catalog current_date current_role current_schema current_time current_timestamp current_user grant localtime
    localtimestamp session_user system_user user ${common}`,
  duckdb: `anti asof at by describe glob lambda pivot pivot_longer pivot_wider positional qualify semi show summarize unpack unpivot ${common}`,
  mysql: `accessible add all alter analyze and as asc asensitive before between bigint binary blob both by call cascade case change
    char character check collate column condition constraint continue convert create cross cube cume_dist current_date
    current_role current_time current_timestamp current_user cursor database databases day_hour day_microsecond day_minute
    day_second dec decimal declare default delayed delete delete_domain_id dense_rank desc describe deterministic distinct
    distinctrow div do_domain_ids double drop dual each else elseif empty enclosed escaped except exists exit explain false fetch
    first_value float float4 float8 for force foreign from fulltext function generated get grant group grouping groups having
    high_priority hour_microsecond hour_minute hour_second if ignore ignore_domain_ids in index infile inner inout insensitive
    insert int int1 int2 int3 int4 int8 integer intersect interval into is iterate join json_table key keys kill lag last_value
    lateral lead leading leave left like limit linear lines load localtime localtimestamp lock long longblob longtext loop
    low_priority manual master_demote_to_replica master_demote_to_slave master_ssl_verify_server_cert match maxvalue mediumblob
    mediumint mediumtext middleint minute_microsecond minute_second mod modifies natural no_write_to_binlog not nth_value ntile
    null numeric of offset on optimize optimizer_costs optionally or order out outer outfile over page_checksum parallel
    parse_vcol_expr partition percent_rank portion precision primary procedure purge qualify range rank read read_write reads
    real recursive ref_system_id references regexp release rename repeat replace require resignal restrict return returning
    revoke right rlike row row_number rows schema schemas second_microsecond select sensitive separator set show signal smallint
    spatial specific sql sql_big_result sql_buffer_result sql_cache sql_calc_found_rows sql_no_cache sql_small_result
    sqlexception sqlstate sqlwarning ssl starting stats_auto_recalc stats_persistent stats_sample_pages stored straight_join
    system table tablesample terminated then tinyblob tinyint tinytext to trailing trigger true undo union unique unlock unsigned
    update usage use using utc_date utc_time utc_timestamp values varbinary varchar varcharacter varying virtual when where while
    window with write xor year_month zerofill`,
  sqlite: `add all alter and as autoincrement between case cast check collate commit constraint create current_date current_time
    current_timestamp default deferrable delete distinct drop else escape except exists foreign from group having in index insert
    intersect into is isnull join limit not nothing notnull null on or order primary raise references returning select set table
    then to transaction union unique update using values when where`,
  clickhouse: `anti asof between cube final format global inf infinity interval nan prewhere rollup sample semi settings totals ${common}`,
  generic: `backup between current_catalog current_date current_role current_schema current_time current_timestamp current_user delta
    disable enable encode explicit grant identity ignore interval localtime localtimestamp minus new nulls off offline oid old
    open parallel partition percent permissions pivot raw recover respect restore session_user snapshot sysdate system
    system_user tag timestamp top unnest unpivot user wallet without ${common}`,
};

const words = new Map<string, ReadonlySet<string>>(Object.entries(texts).map(([dialect, text]) => [dialect, new Set(text.split(/\s+/))]));

export const isReservedName = (name: string, dialect: Dialect): boolean => words.get(dialect)?.has(name.toLowerCase()) ?? false;
