import type { Client } from 'aedes';
import mqttPacket, { type Packet } from 'mqtt-packet';
import { wantsProblemInformation } from '../aedes-internals.ts';
import type { Reason } from './reasons.ts';

const longestReason = 1000;
const options = { protocolVersion: 5 };
const generate = (packet: Packet): Buffer => mqttPacket.generate(packet, options);

export const isVersion5 = ({ version }: Pick<Client, 'version'>): boolean => version === 5;

/** Whether acknowledgements carry a sentence; CONNACK and DISCONNECT always do (3.1.2.11.7). */
export const wantsReasons = (client: Client): boolean => isVersion5(client) && wantsProblemInformation(client);

export const connack = (reasonCode: Reason, reasonString: string): Buffer =>
  generate({ cmd: 'connack', sessionPresent: false, reasonCode, properties: { reasonString } });

export const disconnect = (reasonCode: Reason, reasonString: string): Buffer =>
  generate({ cmd: 'disconnect', reasonCode, properties: { reasonString } } as Packet);

/** PUBACK or PUBREC for a message that is not taken. */
export const notTaken = (client: Client, qos: 1 | 2, messageId: number, reasonCode: Reason, reasonString: string): Buffer =>
  generate({
    cmd: qos === 1 ? 'puback' : 'pubrec',
    messageId,
    reasonCode,
    properties: wantsReasons(client) ? { reasonString: reasonString.slice(0, longestReason) } : {},
  } as Packet);

/** Ends a connection; a client of version 5 reads why. */
export function end(client: Client, reasonCode: Reason, reasonString: string): void {
  // Once: several messages may fail for the same reason.
  if (isVersion5(client) && client.disconnectReasonCode !== null) return;
  client.disconnect({ reasonCode, properties: { reasonString: reasonString.slice(0, longestReason) } });
}
