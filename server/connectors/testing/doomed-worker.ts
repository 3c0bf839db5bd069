import { startExecutors } from './executors.ts';

/** A worker to be killed while its executor is busy: `node doomed-worker.ts '{"source": …, "query": …, "filesFolder": …}'`. */
const { source, query, filesFolder } = JSON.parse(process.argv[2] ?? '{}');
await startExecutors(filesFolder).run(source, query, { isCounted: true });
