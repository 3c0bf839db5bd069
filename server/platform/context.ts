import type { Identity, KeyHolder, Person } from '@telltale/domain/access/identity.ts';
import type { Kysely } from 'kysely';
import type { Config } from '../config.ts';
import type { Db } from './database.ts';
import type { DB } from './database-types.ts';
import type { EnqueueOptions, JobKind } from './jobs/define.ts';
import { enqueueJob } from './jobs/queue.ts';
import type { JobWatch } from './jobs/watch.ts';
import type { Logger } from './log.ts';
import type { MailOutbox } from './mail.ts';
import type { ObjectStore } from './object-store.ts';
import type { ReadReplica } from './read-replica.ts';
import type { Secrets } from './secrets.ts';

/** Services that live as long as the process. */
export interface Services {
  db: Kysely<DB>;
  config: Config;
  secrets: Secrets;
  mail: MailOutbox;
  log: Logger;
  /** Direct connection as the application owner. */
  databaseUrl: string;
  /** Set when DATABASE_READ_URL names a replica. */
  replica?: ReadReplica | undefined;
  /** Set when RESULTS_URL names a store. */
  objects?: ObjectStore | undefined;
  /** Tells when jobs end; only where somebody waits for them. */
  jobWatch?: JobWatch | undefined;
  /** The microseconds that this process assigns to readings without a time of their own (uplinks/writer-phase.ts). */
  writerPhase?: number | undefined;
}

/** The first argument of most functions: the database, the time, the configuration and the outgoing channels. */
export interface Ctx {
  db: Db;
  now: Date;
  config: Config;
  secrets: Secrets;
  mail: MailOutbox;
  log: Logger;
  databaseUrl: string;
  replica: ReadReplica | undefined;
  objects: ObjectStore | undefined;
  jobWatch: JobWatch | undefined;
  identity: Identity;
  request: RequestFacts;
  /** Queues background work; inside a transaction it is queued only if that commits. */
  enqueue<P>(job: JobKind<P>, payload: P, options?: EnqueueOptions): Promise<string>;
  /** `tx.db` is the transaction, so nothing leaks out of it. A nested call joins the outer one. */
  transaction<T>(run: (tx: this) => Promise<T>): Promise<T>;
}

export interface RequestFacts {
  id: string;
  address: string;
  userAgent: string;
  acceptEncoding: string;
  /** The time that the caller is ready to wait for a whole answer, where it is given (`Prefer: wait=5`). */
  waitSeconds: number | null;
  /** Scheme and host that the caller used; links in mails never use them (security 18). */
  origin: string;
}

/** Called inside each transaction before it commits, with the transaction's answer; what it writes commits or is undone with the rest. */
export interface CommitHook {
  beforeCommit?: (db: Db, answer: unknown) => Promise<void>;
  rolledBack?: () => void;
}

/** A signed-in person. */
export interface UserCtx extends Ctx {
  identity: Person;
  user: Person;
}

/** The context of a user, or of a key that may read. */
export interface ReaderCtx extends Ctx {
  identity: Person | KeyHolder;
}

const noRequest: RequestFacts = { id: '-', address: '', userAgent: '', acceptEncoding: '', waitSeconds: null, origin: '' };

/** `more` are members that a request or a job adds; they exist inside transactions too. */
export function createCtx<More extends object = object>(
  services: Services,
  identity: Identity,
  request: RequestFacts = noRequest,
  more?: More,
  hook: CommitHook = {},
): Ctx & More {
  const commit = async <T>(run: (tx: Ctx & More) => Promise<T>): Promise<T> => {
    try {
      return await services.db.transaction().execute(async (trx) => {
        const answer = await run(make(trx));
        await hook.beforeCommit?.(trx, answer);
        return answer;
      });
    } catch (error) {
      hook.rolledBack?.();
      throw error;
    }
  };
  const make = (db: Db): Ctx & More => {
    const ctx: Ctx & More = {
      ...more,
      db,
      now: new Date(),
      config: services.config,
      secrets: services.secrets,
      mail: services.mail,
      log: services.log,
      databaseUrl: services.databaseUrl,
      replica: services.replica,
      objects: services.objects,
      jobWatch: services.jobWatch,
      identity,
      request,
      ...(identity.kind === 'user' ? { user: identity } : {}),
      enqueue: <P>(job: JobKind<P>, payload: P, options?: EnqueueOptions) => enqueueJob(db, job, payload, options),
      transaction: <T>(run: (tx: Ctx & More) => Promise<T>): Promise<T> => (db.isTransaction ? run(ctx) : commit(run)),
    } as Ctx & More;
    return ctx;
  };
  return make(services.db);
}

/** Reads what may be some seconds old: from the replica while it is there, else from the primary. A transaction reads what it wrote. */
export async function readLagging<T>(ctx: Ctx, read: (db: Db) => Promise<T>): Promise<T> {
  const replica = ctx.db.isTransaction ? undefined : await ctx.replica?.db();
  if (!replica) return read(ctx.db);
  return read(replica).catch((error: Error) => {
    ctx.log.warn({ err: error.message }, 'a read failed at the replica and is made at the primary');
    return read(ctx.db);
  });
}
