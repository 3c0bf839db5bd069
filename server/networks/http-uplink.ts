import { readEui } from '@telltale/domain/lorawan/eui.ts';
import { noRadio } from '@telltale/domain/lorawan/radio.ts';
import { readTime } from '@telltale/domain/uplinks/times.ts';
import { z } from 'zod';
import { defineNetwork } from './network.ts';
import { Unreadable, type UplinkEvent } from './network-event.ts';
import { computedAirtime } from './read-json.ts';

const finite = z.number().nullish();
const hex = /^(?:[0-9a-f]{2}|[\s:-])*$/i;
const mostMessages = 500;

/** design 8.1, generic HTTP uplink. */
const Uplink = z
  .object({
    device_id: z.string().max(256).nullish(),
    dev_eui: z
      .string()
      .nullish()
      .refine((text) => text == null || readEui(text) !== null, 'dev_eui has 16 hexadecimal digits.'),
    name: z.string().max(255).nullish(),
    application_id: z.string().max(256).nullish(),
    id: z.string().max(64).nullish(),
    f_port: z.int().min(0).max(255).nullish(),
    f_cnt: z.int().min(0).nullish(),
    payload_hex: z.string().regex(hex, 'payload_hex is not hexadecimal.').nullish(),
    payload_base64: z.base64('payload_base64 is not base64.').nullish(),
    data: z.record(z.string(), z.unknown()).nullish(),
    ts: z.union([z.number(), z.string()]).nullish(),
    rssi: finite,
    snr: finite,
    sf: finite,
    gateway_id: z.string().max(256).nullish(),
  })
  .refine(({ device_id, dev_eui }) => device_id || dev_eui, 'device_id or dev_eui is required.')
  .refine((each) => each.payload_hex != null || each.payload_base64 != null || each.data != null, {
    message: 'payload_hex, payload_base64 or data is required.',
  });
type Uplink = z.output<typeof Uplink>;

/** Any sender that posts JSON: a gateway, another platform's webhook, a script. */
export const httpUplink = defineNetwork({
  type: 'http',
  name: 'HTTP uplink',
  options: z.object({}),
  webhook: {
    hint: 'Post one uplink or a list of them: device_id or dev_eui, with payload_hex, payload_base64 or data; f_port, ts, rssi, snr, sf and gateway_id where they are known.',
    answerWithinMs: 1500,
  },
  read({ body }) {
    let given: unknown;
    try {
      given = JSON.parse(body.toString());
    } catch {
      throw new Unreadable('The body is not valid JSON.');
    }
    const list = Array.isArray(given) ? given : [given];
    if (list.length === 0) throw new Unreadable('The list is empty.');
    if (list.length > mostMessages) throw new Unreadable(`At most ${mostMessages} uplinks at a time.`);
    return list.map((each, index) => {
      const parsed = Uplink.safeParse(each);
      if (parsed.success) return eventOf(parsed.data);
      const where = Array.isArray(given) ? `Uplink ${index + 1}: ` : '';
      const [issue] = parsed.error.issues;
      throw new Unreadable(`${where}${issue?.path.length ? `${issue.path.join('.')}: ` : ''}${issue?.message ?? 'not an uplink.'}`);
    });
  },
});

function eventOf(given: Uplink): UplinkEvent {
  const { f_port = null, f_cnt = null, rssi = null, snr = null, sf = null, gateway_id = null } = given;
  const bytes =
    given.payload_hex != null
      ? Buffer.from(given.payload_hex.replace(/[\s:-]/g, ''), 'hex')
      : Buffer.from(given.payload_base64 ?? '', 'base64');
  const bw = sf === null ? null : 125_000;
  const gateway = gateway_id === null ? [] : [{ gateway_id, rssi, snr, latitude: null, longitude: null }];
  const isRadio = rssi !== null || snr !== null || sf !== null || gateway_id !== null;
  return {
    kind: 'uplink',
    source: 'http',
    end_device: {
      device_id: given.device_id || null,
      dev_eui: readEui(given.dev_eui),
      name: given.name ?? null,
      application_id: given.application_id ?? null,
    },
    at: timeOf(given.ts),
    fport: f_port,
    fcnt: f_cnt,
    session: null,
    message_id: given.id ?? null,
    confirmed: false,
    bytes,
    object: given.data ?? null,
    warnings: [],
    radio: isRadio
      ? {
          ...noRadio,
          rssi,
          snr,
          sf,
          bw,
          gateway: gateway_id,
          gateways: gateway_id === null ? null : 1,
          airtime_ms: computedAirtime({ sf, bw }, bytes.length, null),
        }
      : noRadio,
    heard_by: gateway,
    per: null,
    battery: null,
    more: {},
  };
}

function timeOf(ts: Uplink['ts']): number | null {
  try {
    return readTime(ts);
  } catch (error) {
    throw new Unreadable(error instanceof Error ? error.message : 'ts is not a time.');
  }
}
