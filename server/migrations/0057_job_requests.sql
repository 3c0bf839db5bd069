-- A plain name: what callers that joined a job need of its outcome.
alter table console.jobs rename column wishes to requests;
