import type { FieldSet } from '@telltale/domain/forms/fields.ts';
import type { z } from 'zod';
import type { MailOutbox } from '../platform/mail.ts';
import type { OutgoingHttp } from '../platform/outgoing.ts';
import type { Notice } from './notice.ts';

/** The means of a notifier; it gets no other access to the server. */
export interface NotifierEnv {
  /** The only access to addresses that people typed (security 9). */
  http: OutgoingHttp;
  mail: MailOutbox;
  /** The id of the delivery: the same at every attempt (design 8.1). */
  key: string;
  /** Targets that earlier attempts have reached; `reach` records another one at once. */
  reached: ReadonlySet<string>;
  reach(target: string): Promise<void>;
  signal: AbortSignal;
}

export interface Notifier<O = unknown> {
  type: string;
  name: string;
  icon: string;
  options: FieldSet;
  isDeprecated: boolean;
  /** The address that its secrets are sent to: they are kept for this address only. */
  addressOf(options: O): string;
  /** A sentence about options that can never work. */
  faultOf(options: O): string | undefined;
  /** Throws NotifierError or OutgoingError; the caller tries again. */
  send(options: O, notice: Notice, env: NotifierEnv): Promise<void>;
}

type Parts<S extends FieldSet> = Pick<Notifier, 'type' | 'name' | 'icon'> & {
  isDeprecated?: boolean;
  options: S;
  addressOf?(options: z.output<S>): string;
  faultOf?(options: z.output<S>): string | undefined;
  send(options: z.output<S>, notice: Notice, env: NotifierEnv): Promise<void>;
};

/** Parses saved options, so that a kind only sees options it declared and the list needs no `any`. */
export function defineNotifier<S extends FieldSet>(parts: Parts<S>): Notifier {
  const parsed = (options: unknown) => parts.options.parse(options) as z.output<S>;
  const addressOf = (options: unknown) => parts.addressOf?.(parsed(options)) ?? '';
  return {
    type: parts.type,
    name: parts.name,
    icon: parts.icon,
    options: parts.options,
    isDeprecated: parts.isDeprecated ?? false,
    addressOf,
    faultOf: (options) => {
      const address = addressOf(options);
      if (address !== '' && !/^https?:\/\/[^/]/i.test(address)) return 'The address must begin with http:// or https://.';
      if (address !== '' && !URL.canParse(address)) return 'The address is not a valid URL.';
      return parts.faultOf?.(parsed(options));
    },
    send: async (options, notice, env) => parts.send(parsed(options), notice, env),
  };
}

/** A failure, described for people who look at the delivery; `isFinal` when another attempt would end the same way. */
export class NotifierError extends Error {
  override name = 'NotifierError';
  readonly isFinal: boolean;
  constructor(message: string, isFinal: boolean, cause?: unknown) {
    super(message, { cause });
    this.isFinal = isFinal;
  }
}
