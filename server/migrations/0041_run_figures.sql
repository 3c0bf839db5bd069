-- How runs of queries ended and how long they took, for monitoring: counted up, never down, whatever becomes of jobs and results.
create table console.run_figures (
  outcome text primary key check (outcome in ('done', 'failed', 'cancelled', 'timed_out')),
  runs bigint not null,
  seconds double precision not null,
  -- Runs by length; the limits stand in server/results/run-figures.ts.
  buckets bigint[] not null
);
