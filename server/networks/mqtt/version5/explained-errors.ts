import type { Client } from 'aedes';
import { beforeParseError } from '../aedes-internals.ts';
import type { GuardedConnection } from '../framing-guard.ts';
import { disconnect } from './packets.ts';
import { type Reason, reasons } from './reasons.ts';

/** MQTT 5: a client reads why its connection ends; Aedes hangs up without a word on what it cannot read. */
export function explainErrors(client: Client): void {
  const last = (code: Reason, sentence: string) => (client.conn as GuardedConnection).endWith(disconnect(code, sentence));
  beforeParseError(client, ({ message }) => last(reasons.malformedPacket, `A packet cannot be read: ${message}.`));
  client.prependListener('error', ({ message }: Error) => {
    if (/UNSUBSCRIBE/.test(message)) last(reasons.filterInvalid, `Not unsubscribed: ${message}.`);
    else if (/PUBLISH|Response Topic|too many levels/.test(message)) last(reasons.topicInvalid, `A message was not taken: ${message}.`);
  });
}

export const explainSecondConnect = (client: Client): void =>
  (client.conn as GuardedConnection).endWith(disconnect(reasons.protocolError, 'A second CONNECT came on the same connection.'));
