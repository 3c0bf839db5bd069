import { createDb, createPool } from '../../platform/database.ts';
import { createLogger } from '../../platform/log.ts';
import { Shipper } from '../shipper.ts';

/** Sends what waits again and again, until this process is killed. */
const [, , databaseUrl = '', url = ''] = process.argv;
const db = createDb(createPool(databaseUrl, 'sender', 2, createLogger('silent')));
const shipper = new Shipper(url);
for (;;) {
  await shipper.ship(db).catch(() => {});
  await new Promise((resolve) => setTimeout(resolve, 20));
}
