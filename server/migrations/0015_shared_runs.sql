-- Equal statements share one run, for different saved queries too: what those who joined it want of its outcome.
alter table console.jobs add column wishes jsonb not null default '[]';
