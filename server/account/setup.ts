import { minPasswordLength } from '@telltale/domain/users/contract.ts';
import { z } from 'zod';
import { builtInGroupId, replaceMemberships } from '../groups/groups.ts';
import { getOrganization, holdOrganization, renameOrganization } from '../organizations/organizations.ts';
import type { Ctx } from '../platform/context.ts';
import type { Db } from '../platform/database.ts';
import { AppError, forbidden, invalid, tooMany } from '../platform/errors.ts';
import type { HttpCtx } from '../platform/http/http.ts';
import { randomCode } from '../platform/secrets.ts';
import { countAttempt, networkOf } from '../session/attempts.ts';
import { hashPassword } from '../session/passwords.ts';
import { startSession } from '../session/sessions.ts';
import { addUser } from '../users/users.ts';
import { deleteCodes, hasUsers, storeCode, takeCode } from './setup.store.ts';

let isDone = false;

/** True until the first user exists. The result never turns back, so false is remembered. */
export async function isSetupNeeded(db: Db): Promise<boolean> {
  if (isDone) return false;
  isDone = await hasUsers(db);
  return !isDone;
}

/** For tests, which start again with an empty database in the same process. */
export const forgetSetupDone = () => {
  isDone = false;
};

export const Setup = z.object({
  code: z.string().max(100).default(''),
  name: z.string().trim().min(1, 'Name is required.').max(320, 'Name is too long.'),
  email: z
    .string()
    .trim()
    .toLowerCase()
    .max(320)
    .regex(/^[^\s@]+@[^\s@]+$/, 'Email Address is not valid.'),
  password: z.string().min(minPasswordLength, `Password length is too short (<${minPasswordLength}).`).max(1024),
  org_name: z.string().trim().min(1, 'Organization Name is required.').max(255, 'Organization Name is too long.'),
});
export type Setup = z.output<typeof Setup>;

const normal = (code: string) => code.toUpperCase().replace(/[^A-Z0-9]/g, '');

/** Creates a new code at each start; only people who can read the console can set up (security 2). */
export async function issueSetupCode(ctx: Ctx): Promise<string | undefined> {
  if (!(await isSetupNeeded(ctx.db))) return undefined;
  const code = randomCode(3);
  await storeCode(ctx.db, ctx.secrets.hash('set-up code', normal(code)));
  return code;
}

export async function setUp(ctx: HttpCtx, given: Setup): Promise<void> {
  if ((await countAttempt(ctx.db, 'set-up', networkOf(ctx.request.address), 3600)) > 20)
    throw tooMany('Too many attempts. Please try again in an hour.');
  const userId = await ctx.transaction(async (tx) => {
    // Deleting the row claims the set-up: of two simultaneous requests only one succeeds.
    const isRight = await takeCode(tx.db, tx.secrets.hash('set-up code', normal(given.code)));
    if (!(await isSetupNeeded(tx.db))) throw new AppError(404, 'set_up', 'This installation is set up already.');
    if (!isRight) throw forbidden('The set-up code is wrong. The server prints it when it starts.');
    return createFirstAdmin(tx, { ...given, password_hash: await hashPassword(given.password) });
  });
  await startSession(ctx, userId, true);
}

type FirstAdmin = Pick<Setup, 'name' | 'email' | 'org_name'> & { password_hash: string };

export async function createFirstAdmin(ctx: Ctx, { name, email, org_name, password_hash }: FirstAdmin): Promise<number> {
  const { id: org_id } = await getOrganization(ctx);
  await holdOrganization(ctx);
  if (!(await isSetupNeeded(ctx.db))) throw invalid('This installation is set up already.');
  await renameOrganization(ctx, org_name);
  const id = await addUser(ctx, { org_id, name, email, password_hash });
  await replaceMemberships(ctx.db, id, [await builtInGroupId(ctx.db, 'admin'), await builtInGroupId(ctx.db, 'default')]);
  await deleteCodes(ctx.db);
  return id;
}
