-- Equal statements share one run, for different saved queries too: what those who joined it want of its outcome.
alter table console.jobs add column wishes jsonb not null default '[]';

-- W25: what somebody still reads is not cleared up; noted once a day at most.
alter table console.query_results add column last_used_at timestamptz not null default now();
