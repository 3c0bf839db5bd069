import { z } from 'zod';
import { readBytes } from '../decoders/bytes.ts';
import { endpoint } from '../endpoint.ts';
import { ByDevice } from './contract.ts';

/** JSON is read as it is. Text, hex and base64 are ways to write bytes, which the decoder of the channel reads. */
export const payloadEncodings = ['json', 'text', 'hex', 'base64'] as const;
export type PayloadEncoding = (typeof payloadEncodings)[number];

/** Why a text cannot be turned into bytes, for the form and for the server; null when it can. */
export function encodingFault(payload: string, encoding: PayloadEncoding): string | null {
  const isWritten = (encoding !== 'hex' && encoding !== 'base64') || readBytes(`${encoding}:${payload.trim()}`) !== null;
  return isWritten ? null : `The payload is not ${encoding}.`;
}

const portMessage = 'fport must be between 1 and 223.';

/** A payload that a person sends in place of the device. It is longer than its bytes, which have a limit of their own. */
export const SimulatedUplink = z
  .object({
    payload: z.string('payload is required.').max(200_000, 'The payload is too long.'),
    encoding: z.enum(payloadEncodings, 'encoding must be json, text, hex or base64.').default('json'),
    /** The port of bytes; JSON has none. */
    fport: z.int(portMessage).min(1, portMessage).max(223, portMessage).default(1),
  })
  .superRefine(({ payload, encoding }, check) => {
    const fault = encodingFault(payload, encoding);
    if (fault) check.addIssue({ code: 'custom', message: fault });
  });
export type SimulatedUplink = z.output<typeof SimulatedUplink>;

/** What a device hears about an uplink that was taken (iot-behaviour 1.12). */
export const TakenUplink = z.object({
  uplink_id: z.string(),
  status: z.enum(['stored', 'partial', 'duplicate']),
  points: z.int(),
  warnings: z.array(z.string()),
  errors: z.array(z.string()),
});
export type TakenUplink = z.infer<typeof TakenUplink>;

export const simulationApi = {
  simulate: endpoint('POST', '/api/channels/:id/devices/:deviceId/simulate', {
    needs: 'manage_channel',
    params: ByDevice,
    body: SimulatedUplink,
    reply: TakenUplink,
    summary: 'Takes a payload as if the device had sent it; refused for the same reasons, with the same code.',
  }),
};
