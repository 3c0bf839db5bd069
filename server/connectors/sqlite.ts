import { text } from '@telltale/domain/forms/fields.ts';
import { z } from 'zod';
import { defineConnector } from './connector.ts';
import { requireFile } from './files.ts';

export const sqlite = defineConnector({
  type: 'sqlite',
  name: 'SQLite',
  dialect: 'sqlite',
  isBlocking: true,
  isEmbedded: true,
  options: z.strictObject({ dbpath: text('Database Path', { info: 'A path inside the files folder of the console (TELLTALE_FILES).' }) }),
  open: async ({ dbpath }, { filesFolder }) => {
    await requireFile(filesFolder, dbpath);
    const { SqliteConnection } = await import('./sqlite/connection.ts');
    return new SqliteConnection(() => requireFile(filesFolder, dbpath));
  },
});
