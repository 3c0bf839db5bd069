import { nobody } from '@telltale/domain/access/identity.ts';
import { createFirstAdmin, isSetupNeeded, issueSetupCode } from '../account/setup.ts';
import type { Config } from '../config.ts';
import { ensureBuiltInSource } from '../data-sources/built-in-source.ts';
import { prepareReader } from '../data-sources/prepare-reader.ts';
import { prepareHistory } from '../history/history.ts';
import { createCtx } from '../platform/context.ts';
import type { Logger } from '../platform/log.ts';
import { createServices } from '../services.ts';
import { hashPassword } from '../session/passwords.ts';

export interface Installation {
  databaseUrl: string;
  superuserUrl?: string | undefined;
  config: Config;
  secretKey: string;
  log: Logger;
}

/**
 * Runs after the migrations and before the roles: creates the reader role, the built-in source, and the first administrator or the set-up
 * code.
 */
export async function prepareInstallation({
  databaseUrl,
  superuserUrl,
  config,
  secretKey,
  log,
}: Installation): Promise<{ setupCode?: string | undefined }> {
  const { services, close } = createServices({ databaseUrl, config, secretKey, log, name: 'installation', connections: 1 });
  try {
    const ctx = createCtx(services, nobody);
    await prepareReader(ctx, superuserUrl);
    await ensureBuiltInSource(ctx);
    await prepareHistory(ctx);
    if (config.firstAdmin && (await isSetupNeeded(ctx.db))) {
      const { name = 'admin', email, password } = config.firstAdmin;
      const password_hash = await hashPassword(password);
      await ctx.transaction((tx) => createFirstAdmin(tx, { name, email: email.toLowerCase(), password_hash, org_name: 'Telltale' }));
    }
    return { setupCode: await issueSetupCode(ctx) };
  } finally {
    await close();
  }
}
