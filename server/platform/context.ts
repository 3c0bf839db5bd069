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
import type { Secrets } from './secrets.ts';

/** What lives as long as the process. */
export interface Services {
  db: Kysely<DB>;
  config: Config;
  secrets: Secrets;
  mail: MailOutbox;
  log: Logger;
  /** Direct connection as the application owner. */
  databaseUrl: string;
  /** Tells when jobs end; only where somebody waits for them. */
  jobWatch?: JobWatch | undefined;
}

/** The first argument of everything that happens: where to read and write, what time it is, whom to tell. */
export interface Ctx {
  db: Db;
  now: Date;
  config: Config;
  secrets: Secrets;
  mail: MailOutbox;
  log: Logger;
  databaseUrl: string;
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
  /** Scheme and host the caller used; links in mails never come from it (security 18). */
  origin: string;
}

/** A signed-in person. */
export interface UserCtx extends Ctx {
  identity: Person;
  user: Person;
}

/** A person, or a key that may read. */
export interface ReaderCtx extends Ctx {
  identity: Person | KeyHolder;
}

const noRequest: RequestFacts = { id: '-', address: '', userAgent: '', acceptEncoding: '', origin: '' };

/** `more` is what a request or a job adds; it is there inside transactions too. */
export function createCtx<More extends object = object>(
  services: Services,
  identity: Identity,
  request: RequestFacts = noRequest,
  more?: More,
): Ctx & More {
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
      jobWatch: services.jobWatch,
      identity,
      request,
      ...(identity.kind === 'user' ? { user: identity } : {}),
      enqueue: <P>(job: JobKind<P>, payload: P, options?: EnqueueOptions) => enqueueJob(db, job, payload, options),
      transaction: <T>(run: (tx: Ctx & More) => Promise<T>): Promise<T> =>
        db.isTransaction ? run(ctx) : services.db.transaction().execute((trx) => run(make(trx))),
    } as Ctx & More;
    return ctx;
  };
  return make(services.db);
}
