/** Finds statements with this mark that run in the current PostgreSQL database. */
export const activeStatements = (mark: string) =>
  `select 1 from pg_stat_activity where datname = current_database() and state = 'active' and pid <> pg_backend_pid() and query like '%${mark}%'`;
