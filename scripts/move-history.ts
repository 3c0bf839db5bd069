import { ConfigError, readConfig } from '../server/config.ts';
import { moveHistory } from '../server/history/move-history.ts';
import { createDb, createPool } from '../server/platform/database.ts';
import { createLogger } from '../server/platform/log.ts';
import { openDatabase } from '../server/start/backup/backup-place.ts';
import { StartError } from '../server/start/start-error.ts';

/** `npm run move-history`: copies the readings in PostgreSQL to the ClickHouse of CLICKHOUSE_URL. Ctrl-C stops it, and the next run goes on. */
let isStopping = false;
process.once('SIGINT', () => {
  isStopping = true;
});
process.once('SIGTERM', () => {
  isStopping = true;
});
try {
  const config = readConfig();
  if (!config.clickhouseUrl) throw new StartError('Set CLICKHOUSE_URL.');
  const place = await openDatabase(config, true);
  const pool = createPool(place.url, 'move-history', 2, createLogger('error'));
  const onProgress = (part: string, points: number) => {
    console.log(`${part}: ${points} readings`);
    return !isStopping;
  };
  const { moved } = await moveHistory(createDb(pool), config.clickhouseUrl, { onProgress }).finally(async () => {
    await pool.end();
    await place.close();
  });
  console.log(isStopping ? `Stopped after ${moved} readings. Run it again to go on.` : `Done: ${moved} readings were moved.`);
  process.exit(0);
} catch (error) {
  console.error(error instanceof StartError || error instanceof ConfigError ? error.message : error);
  process.exit(1);
}
