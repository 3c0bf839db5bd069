import type { DirectoryChange } from '../directory.ts';
import { admit, type Principal, scopeOf } from './principal.ts';
import type { BrokerParts, Session } from './session.ts';
import type { Sessions } from './sessions.ts';
import { end } from './version5/packets.ts';
import { reasons } from './version5/reasons.ts';

const atOnce = 20;
/** Changes of users' keys send no notification; such connections are few, so they are checked regularly. */
const usersEveryMs = 500;
const againMs = 500;

/** Ends the connections of a deleted or replaced key, or of a disabled device, within a second. */
export class KeyChecks {
  readonly #parts: Pick<BrokerParts, 'directory' | 'findUser' | 'log'>;
  readonly #sessions: Sessions;
  #isStopped = false;

  constructor(parts: Pick<BrokerParts, 'directory' | 'findUser' | 'log'>, sessions: Sessions) {
    this.#parts = parts;
    this.#sessions = sessions;
  }

  /** Returns how to stop. `hasOnlookers` says whether users are connected at all. */
  start(hasOnlookers: () => boolean): () => void {
    const timer = setInterval(() => {
      if (hasOnlookers()) void this.check(this.#sessions.where(({ kind }) => kind === 'user'));
    }, usersEveryMs);
    const unsubscribe = this.#parts.directory.onChange((change) => void this.check(this.#concernedBy(change)));
    return () => {
      this.#isStopped = true;
      clearInterval(timer);
      unsubscribe();
    };
  }

  /** Sessions whose key cannot be read now are checked again until there is an answer: a revoked key must not stay in use. */
  async check(concerned: Session[]): Promise<void> {
    const unread: Session[] = [];
    while (concerned.length > 0) {
      const group = concerned.splice(0, atOnce);
      const checked = await Promise.allSettled(group.map((session) => this.#checkOne(session)));
      unread.push(...group.filter((_, index) => checked[index]?.status === 'rejected'));
    }
    if (unread.length === 0 || this.#isStopped) return;
    this.#parts.log.warn({ sessions: unread.length }, 'keys of open connections could not be read again');
    setTimeout(() => this.#isStopped || void this.check(unread.filter(({ client }) => !client.closed)), againMs).unref();
  }

  async #checkOne(session: Session): Promise<void> {
    const { principal, client } = session;
    const { directory, findUser } = this.#parts;
    const admission = await admit(directory, findUser, usernameOf(principal), principal.api_key);
    if ('returnCode' in admission || scopeOf(admission.principal) !== scopeOf(principal))
      end(client, reasons.notAuthorized, 'The key was replaced or deleted, or the device was disabled.');
    else session.principal = admission.principal;
  }

  /** Devices change often and one at a time, so only the affected sessions are checked. */
  #concernedBy(change: DirectoryChange): Session[] {
    if (change.kind === 'device') return this.#sessions.ofDevice(change.pk);
    return this.#sessions.where((principal) => isAbout(principal, change));
  }
}

function usernameOf(principal: Principal): string {
  if (principal.kind === 'user') return '$user';
  return principal.kind === 'device'
    ? `${principal.device.channel.channel_id}/${principal.device.device_id}`
    : principal.channel.channel_id;
}

function isAbout(principal: Principal, change: Exclude<DirectoryChange, { kind: 'device' }>): boolean {
  if (change.kind === 'all') return true;
  if (principal.kind === 'user') return false;
  return change.pk === (principal.kind === 'channel' ? principal.channel.pk : principal.device.channel.pk);
}
