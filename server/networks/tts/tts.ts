import { flag, optionalText, secret, text } from '@telltale/domain/forms/fields.ts';
import { z } from 'zod';
import { readBrokerAddress } from '../address.ts';
import type { Downlink } from '../downlinks.ts';
import { type DownlinkStep, defineNetwork, type WebhookReturn } from '../network.ts';
import type { EndDevice } from '../network-event.ts';
import { parseObject } from '../read-json.ts';
import { readTts } from './tts-events.ts';

const options = z.object({
  address: optionalText('Address', {
    info: 'Host and port of the MQTT server. Leave it empty to receive by webhook alone, which loses nothing while this console is away.',
    example: 'eu1.cloud.thethings.network:8883',
  }),
  tls: flag('Use TLS', true),
  application_id: text('Application ID'),
  tenant_id: optionalText('Tenant ID', { info: 'Empty for the open-source edition.', example: 'ttn' }),
  api_key: secret('API Key', { info: 'With the rights to read application traffic and to write downlink traffic.', example: 'NNSXS.…' }),
});
type Options = z.output<typeof options>;

const userOf = ({ application_id, tenant_id }: Options) => (tenant_id ? `${application_id}@${tenant_id}` : application_id);

/** iot-behaviour 2.1 and 2.2. */
export const tts = defineNetwork({
  type: 'tts',
  name: 'The Things Stack',
  options,
  secretGoesTo: { api_key: ['address', 'tls'] },
  webhook: {
    hint: 'Add a custom webhook with the format JSON and this base URL at The Things Stack, add the header, and enable every message type with the paths /up, /join, /queued, /sent, /ack, /nack, /failed, /invalidated, /location and /service.',
    answerWithinMs: 1500,
  },
  // The Things Stack supports QoS 0 only.
  publishQos: 0,
  isSilentOverMqtt: true,
  broker(given, client_id) {
    const address = given.address ? readBrokerAddress(given.address, given.tls) : undefined;
    if (!address) return undefined;
    return {
      address,
      username: userOf(given),
      password: given.api_key,
      client_id,
      // The server supports QoS 0 only and keeps no sessions.
      keepsSession: false,
      subscriptions: [`v3/${userOf(given)}/devices/+/#`],
      qos: 0,
    };
  },
  read({ topic, body }) {
    // The wildcard also matches our own publishes.
    if (topic !== null && /\/down\/(?:push|replace)$/.test(topic)) return [];
    return readTts(parseObject(body));
  },
  downlink: (given, device, downlink, way) => send(given, device, downlink.mode, [downlinkOf(downlink)], way),
  clear: (given, device, way) => send(given, device, 'replace', [], way),
});

/** iot-behaviour 2.7. */
function downlinkOf({ attempt_id, fport, confirm, payload, network_attempts }: Downlink) {
  const isTheirs = payload.encoding === 'json' && !payload.isEncoded;
  return {
    f_port: fport,
    ...(isTheirs ? { decoded_payload: payload.value } : { frm_payload: payload.bytes.toString('base64') }),
    confirmed: confirm,
    priority: 'NORMAL',
    correlation_ids: [`cmd:${attempt_id}`],
    ...(confirm ? { confirmed_retry: { max_attempts: Math.max(1, network_attempts) } } : {}),
  };
}

function send(
  given: Options,
  { device_id }: EndDevice,
  mode: Downlink['mode'],
  downlinks: unknown[],
  way: WebhookReturn | undefined,
): DownlinkStep[] | string {
  const body = JSON.stringify({ downlinks });
  if (given.address) return [{ via: 'mqtt', topic: `v3/${userOf(given)}/devices/${device_id}/down/${mode}`, body }];
  if (!way) return 'The network has not told where downlinks go: its webhook has to send something first, or the network needs an address.';
  if (!way.api_key) return 'The webhook has no key for downlinks: enter one in the webhook’s settings at The Things Stack.';
  return [
    {
      via: 'http',
      method: 'POST',
      url: `${way.base_url}/devices/${encodeURIComponent(device_id ?? '')}/down/${mode}`,
      headers: { authorization: `Bearer ${way.api_key}`, 'content-type': 'application/json' },
      body,
    },
  ];
}
