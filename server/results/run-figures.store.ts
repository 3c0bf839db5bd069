import { sql } from 'kysely';
import type { Columns, Db } from '../platform/database.ts';

export type RunOutcome = 'done' | 'failed' | 'cancelled' | 'timed_out';

export interface RunFigures extends Columns<'run_figures', 'runs' | 'seconds' | 'buckets'> {
  outcome: RunOutcome;
}

export const countRun = (db: Db, outcome: RunOutcome, seconds: number, counts: readonly number[]) =>
  sql`
    insert into run_figures (outcome, runs, seconds, buckets) values (${outcome}, 1, ${seconds}, ${counts}::bigint[])
    on conflict (outcome) do update set runs = run_figures.runs + 1, seconds = run_figures.seconds + excluded.seconds,
      buckets = (select array_agg(was + more order by place)
                 from unnest(run_figures.buckets, excluded.buckets) with ordinality as each(was, more, place))`.execute(db);

export async function readRunFigures(db: Db): Promise<RunFigures[]> {
  const { rows } = await sql<RunFigures>`
    select outcome, runs::float8 as runs, seconds, buckets::float8[] as buckets from run_figures order by outcome`.execute(db);
  return rows;
}
