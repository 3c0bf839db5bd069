import { flag, optionalText, secret } from '@telltale/domain/forms/fields.ts';
import type { Connection, ConnectorEnv, Statement } from '../connector.ts';
import { QueryError } from '../connector.ts';
import type { Sink } from '../sink.ts';
import { ask, basicAuth } from './ask.ts';
import { addressBelow } from './base-url.ts';

/** Options of all connectors whose queries contain an address. */
export const webSourceOptions = {
  base_url: optionalText('Base URL', { example: 'https://example.com/data' }),
  username: optionalText('Username'),
  password: secret('Password'),
  verify: flag('Verify SSL certificate', true, { extra: true }),
};

export interface WebSourceOptions {
  base_url?: string | undefined;
  username?: string | undefined;
  password?: string | undefined;
  verify: boolean;
}

/** Checks the addresses in queries of a source, and adds its credentials. */
export class WebSource {
  readonly #options: WebSourceOptions;

  constructor(options: WebSourceOptions) {
    this.#options = options;
    // Without a base, the author of a query could send the password to a server of their own.
    if (this.hasCredentials && options.base_url === undefined)
      throw new QueryError('The user name and password need a Base URL: they are sent there and nowhere else.');
  }

  get hasCredentials(): boolean {
    return this.#options.username !== undefined || this.#options.password !== undefined;
  }

  addressOf(text: string): URL {
    return addressBelow(this.#options.base_url, text);
  }

  /** Returns the credentials of the query, else those of the source. */
  authorization(own?: readonly [string, string]): Record<string, string> {
    if (own) return { authorization: basicAuth(...own) };
    const { username = '', password = '' } = this.#options;
    return this.hasCredentials ? { authorization: basicAuth(username, password) } : {};
  }

  /** A query may only turn certificate checks off when no saved password is at risk. */
  allowsInvalidCertificate(verify: boolean | undefined): boolean {
    if (!this.#options.verify) return true;
    if (verify !== false) return false;
    if (this.hasCredentials) throw new QueryError("Only an administrator can turn 'verify' off for a data source with a password.");
    return true;
  }

  /** Without a base there is nothing to test; with one, any answer except refused credentials passes. */
  async test({ http }: ConnectorEnv, signal: AbortSignal): Promise<void> {
    if (this.#options.base_url === undefined) return;
    const request = { signal, headers: this.authorization(), allowInvalidCertificate: this.allowsInvalidCertificate(undefined) };
    const response = await ask(http, this.addressOf(''), request);
    response.discard();
    if (response.status === 401 || response.status === 403)
      throw new QueryError(`The server refuses the user name and password (${response.status}).`);
  }
}

/** A connection that keeps nothing open and has no tables. */
export const webConnection = (
  source: WebSource,
  env: ConnectorEnv,
  run: (statement: Statement, sink: Sink, signal: AbortSignal) => Promise<void>,
): Connection => ({
  run,
  schema: async () => [],
  test: (signal) => source.test(env, signal),
  close: async () => {},
});
