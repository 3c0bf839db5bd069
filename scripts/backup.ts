import { parseArgs } from 'node:util';
import { ConfigError } from '../server/config.ts';
import { makeBackup } from '../server/start/backup/backup.ts';
import { StartError } from '../server/start/start-error.ts';

/** `npm run backup -- FILE [--telemetry] [--without-key]` */
const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: { telemetry: { type: 'boolean', default: false }, 'without-key': { type: 'boolean', default: false } },
});
const [file] = positionals;
if (!file || positionals.length > 1) {
  console.error('Usage: npm run backup -- FILE [--telemetry] [--without-key]');
  process.exit(2);
}
try {
  for (const line of await makeBackup(file, { telemetry: values.telemetry, withoutKey: values['without-key'] })) console.log(line);
  process.exit(0);
} catch (error) {
  console.error(error instanceof StartError || error instanceof ConfigError ? error.message : error);
  process.exit(1);
}
