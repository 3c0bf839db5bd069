import type { Client } from 'aedes';
import { type Principal, scopeOf } from './principal.ts';
import { newSession, type Session } from './session.ts';

/** The authenticated connections of a broker. */
export class Sessions {
  readonly #byClient = new Map<Client, Session>();
  /** Those whose CONNACK is written, by the scope of their key; the oldest first. */
  readonly #ready = new Map<string, Set<Session>>();
  /** Kept beyond the connection: a client may disconnect before the database has answered, and a delayed will comes later. */
  readonly #principals = new WeakMap<Client, Principal>();

  get size(): number {
    return this.#byClient.size;
  }

  of(client: Client): Session | undefined {
    return this.#byClient.get(client);
  }

  principalOf(client: Client): Principal | undefined {
    return this.#principals.get(client);
  }

  where(isConcerned: (principal: Principal) => boolean): Session[] {
    return [...this.#byClient.values()].filter(({ principal }) => isConcerned(principal));
  }

  ofDevice(pk: number): Session[] {
    return [...(this.#ready.get(`d${pk}`) ?? [])];
  }

  ofChannel(pk: number): Session[] {
    return [...(this.#ready.get(`c${pk}`) ?? [])];
  }

  begin(client: Client, principal: Principal): Session {
    const session = newSession(client, principal);
    this.#principals.set(client, principal);
    this.#byClient.set(client, session);
    return session;
  }

  /** Returns all connections of the same key, this one last. */
  ready(session: Session): readonly Session[] {
    const scope = scopeOf(session.principal);
    const siblings = this.#ready.get(scope) ?? new Set();
    this.#ready.set(scope, siblings.add(session));
    return [...siblings];
  }

  end(session: Session): { wasReady: boolean } {
    this.#byClient.delete(session.client);
    const scope = scopeOf(session.principal);
    const siblings = this.#ready.get(scope);
    const wasReady = siblings?.delete(session) ?? false;
    if (siblings?.size === 0) this.#ready.delete(scope);
    return { wasReady };
  }
}
