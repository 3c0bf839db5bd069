import { ConfigError } from '../server/config.ts';
import { restoreBackup } from '../server/start/backup/backup.ts';
import { StartError } from '../server/start/start-error.ts';

/** `npm run restore -- FILE` */
const [file, ...more] = process.argv.slice(2);
if (!file || more.length > 0) {
  console.error('Usage: npm run restore -- FILE');
  process.exit(2);
}
try {
  for (const line of await restoreBackup(file)) console.log(line);
  process.exit(0);
} catch (error) {
  console.error(error instanceof StartError || error instanceof ConfigError ? error.message : error);
  process.exit(1);
}
