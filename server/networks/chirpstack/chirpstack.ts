import { flag, optionalText, secret } from '@telltale/domain/forms/fields.ts';
import { z } from 'zod';
import { readBrokerAddress } from '../address.ts';
import { uuidOfUlid } from '../attempt-uuid.ts';
import type { Downlink } from '../downlinks.ts';
import { type DownlinkStep, defineNetwork } from '../network.ts';
import type { EndDevice } from '../network-event.ts';
import { Unreadable } from '../network-event.ts';
import { parseObject, textOf } from '../read-json.ts';
import { readChirpStack } from './chirpstack-events.ts';

const options = z.object({
  address: optionalText('Address', {
    info: 'Host and port of the MQTT broker. Leave it empty to receive by the HTTP integration alone.',
    example: 'chirpstack.example.com:1883',
  }),
  tls: flag('Use TLS', false),
  application_id: optionalText('Application ID', { info: 'A UUID; empty for all applications that the account may see.' }),
  username: optionalText('User Name'),
  password: secret('Password'),
  api_address: optionalText('API Address', {
    info: 'Of the REST API, to empty queues (replace). Downlinks themselves go over MQTT where there is a broker.',
    example: 'http://chirpstack.example.com:8090',
  }),
  api_key: secret('API Key'),
  topic_prefix: optionalText('Topic Prefix', { info: 'What stands before application/… in the topics, if anything.', extra: true }),
});
type Options = z.output<typeof options>;

const needsApi = 'Replace needs the address and the key of the REST API in the network’s settings.';

const prefixOf = ({ topic_prefix }: Options) => (topic_prefix ? `${topic_prefix.replace(/\/+$/, '')}/` : '');

/** iot-behaviour 2.3 and 2.4. */
export const chirpstack = defineNetwork({
  type: 'chirpstack',
  name: 'ChirpStack',
  options,
  secretGoesTo: { password: ['address', 'tls'], api_key: ['api_address'] },
  webhook: {
    hint: 'Add an HTTP integration with the encoding JSON and this event endpoint URL to the application at ChirpStack, and add the header.',
    // ChirpStack disturbs class A downlinks while it waits (iot-behaviour 2.4).
    answerWithinMs: 400,
  },
  broker(given, client_id) {
    const address = given.address ? readBrokerAddress(given.address, given.tls) : undefined;
    if (!address) return undefined;
    return {
      address,
      username: given.username,
      password: given.password,
      client_id,
      keepsSession: true,
      subscriptions: [`${prefixOf(given)}application/${given.application_id ?? '+'}/device/+/event/+`],
      qos: 1,
    };
  },
  read({ topic, event, body }) {
    const name = event ?? /\/event\/([a-z]+)$/.exec(topic ?? '')?.[1];
    if (!name) throw new Unreadable('The message does not say which event it is (?event=up).');
    if (body.length > 0 && body[0] !== 0x7b && !/^\s*\{/.test(body.toString('latin1', 0, 16)))
      throw new Unreadable('ChirpStack sends Protobuf. Set its marshaler to JSON.');
    return readChirpStack(name, parseObject(body));
  },
  downlink(given, device, downlink) {
    const eui = device.dev_eui;
    if (!eui) return 'The device has no DevEUI.';
    const steps: DownlinkStep[] = [];
    if (downlink.mode === 'replace') {
      const cleared = emptyQueue(given, eui);
      if (typeof cleared === 'string') return cleared;
      steps.push(...cleared);
    }
    return given.address ? [...steps, overMqtt(given, device, eui, downlink)] : withApi(given, steps, eui, downlink);
  },
  clear: (given, { dev_eui }) => (dev_eui ? emptyQueue(given, dev_eui) : 'The device has no DevEUI.'),
  replaceFault: (given) => (given.api_address && given.api_key ? undefined : needsApi),
  async test(given, http, signal) {
    if (!given.api_address) return undefined;
    const url = `${apiBase(given)}/api/devices?limit=1${given.application_id ? `&applicationId=${given.application_id}` : ''}`;
    const answer = await http.fetch(url, { headers: apiHeaders(given), signal, timeoutMs: 10_000, maxBytes: 1024 * 1024, trusted: true });
    answer.discard();
    if (answer.status === 401 || answer.status === 403) return 'The API does not accept the key.';
    return answer.status >= 400 ? `The API answered with status ${answer.status}.` : undefined;
  },
});

/** iot-behaviour 2.7: the id comes back as `queueItemId`. */
function itemOf(eui: string, { attempt_id, confirm, fport, payload, expires }: Downlink) {
  const isTheirs = payload.encoding === 'json' && !payload.isEncoded;
  return {
    id: uuidOfUlid(attempt_id),
    devEui: eui,
    confirmed: confirm,
    fPort: fport,
    ...(isTheirs ? { object: payload.value } : { data: payload.bytes.toString('base64') }),
    expiresAt: new Date(expires).toISOString(),
  };
}

function overMqtt(given: Options, { application_id }: EndDevice, eui: string, downlink: Downlink): DownlinkStep {
  const topic = `${prefixOf(given)}application/${application_id ?? given.application_id}/device/${eui}/command/down`;
  return { via: 'mqtt', topic, body: JSON.stringify(itemOf(eui, downlink)) };
}

function withApi(given: Options, steps: DownlinkStep[], eui: string, downlink: Downlink): DownlinkStep[] | string {
  if (!given.api_address) return 'Downlinks need the address of the MQTT broker or of the REST API in the network’s settings.';
  const body = JSON.stringify({ queueItem: itemOf(eui, downlink) });
  return [...steps, { via: 'http', method: 'POST', url: queueUrl(given, eui), headers: apiHeaders(given), body }];
}

/** iot-behaviour 2.7: there is no MQTT form of it. */
function emptyQueue(given: Options, eui: string): DownlinkStep[] | string {
  if (!given.api_address || !given.api_key) return needsApi;
  return [{ via: 'http', method: 'DELETE', url: queueUrl(given, eui), headers: apiHeaders(given), body: null }];
}

const apiBase = ({ api_address }: Options) => (textOf(api_address) ?? '').replace(/\/+$/, '').replace(/^(?!https?:\/\/)/i, 'http://');
const queueUrl = (given: Options, eui: string) => `${apiBase(given)}/api/devices/${eui}/queue`;
const apiHeaders = ({ api_key }: Options) => ({
  'grpc-metadata-authorization': `Bearer ${api_key ?? ''}`,
  authorization: `Bearer ${api_key ?? ''}`,
  'content-type': 'application/json',
});
