import { readEui } from '@telltale/domain/lorawan/eui.ts';
import { bestGateway, type HeardBy, type Radio } from '@telltale/domain/lorawan/radio.ts';
import {
  type DeviceEvent,
  type DownlinkReport,
  type EndDevice,
  type NetworkEvent,
  Unreadable,
  type UplinkEvent,
} from '../network-event.ts';
import {
  bytesOf,
  codingRateOf,
  computedAirtime,
  countOf,
  isPresent,
  type Json,
  known,
  listOf,
  numberOf,
  objectOf,
  portOf,
  positionOf,
  textOf,
  timeOf,
} from '../read-json.ts';

type Reader = (body: Json, end_device: EndDevice) => NetworkEvent;

/** iot-behaviour 2.3: the name stands in the topic, or in the address of the HTTP integration. */
const readers: Record<string, Reader> = {
  up: readUplink,
  join: readJoin,
  status: readStatus,
  ack: readAck,
  txack: readTxAck,
  log: readLog,
  location: readLocation,
};

export function readChirpStack(event: string, body: Json): NetworkEvent[] {
  const info = objectOf(body.deviceInfo);
  const end_device: EndDevice = {
    device_id: null,
    dev_eui: readEui(info.devEui),
    name: textOf(info.deviceName),
    application_id: textOf(info.applicationId),
  };
  if (end_device.dev_eui === null) throw new Unreadable('The event names no device (deviceInfo.devEui).');
  const read = Object.hasOwn(readers, event) ? readers[event] : undefined;
  return [read ? read(body, end_device) : told('other', event.slice(0, 64), body, end_device, 'An event of an unknown kind')];
}

function readUplink(body: Json, end_device: EndDevice): UplinkEvent {
  const received = listOf(body.rxInfo);
  const heard = received.map((each) => ({ each, ...heardBy(each) }));
  const best = bestGateway(heard);
  const { modulation, frequency } = objectOf(body.txInfo);
  const { lora: loraPart, fsk, lrFhss } = objectOf(modulation);
  const lora = objectOf(loraPart);
  const bytes = bytesOf(body.data);
  const [sf, bw] = [numberOf(lora.spreadingFactor), numberOf(lora.bandwidth)];
  const radio: Radio = {
    rssi: best?.rssi ?? null,
    snr: best?.snr ?? null,
    sf,
    bw,
    frequency: numberOf(frequency),
    gateway: best?.gateway_id ?? null,
    gateways: received.length,
    airtime_ms: computedAirtime({ sf, bw }, bytes.length, codingRateOf(lora.codeRate)),
    dr: numberOf(body.dr) ?? 0,
  };
  const [fcnt, fport] = [countOf(body.fCnt), portOf(body.fPort ?? 0)];
  const info = objectOf(body.deviceInfo);
  const session = textOf(body.devAddr);
  const id = textOf(body.deduplicationId, 64);
  return {
    kind: 'uplink',
    source: 'chirpstack',
    end_device,
    at: gatewayTime(received, best?.each) ?? timeOf(body.time),
    fport,
    fcnt,
    session,
    message_id: id ?? `chirpstack/${session ?? ''}/${fcnt}/${fport ?? ''}/${textOf(body.time) ?? ''}`,
    confirmed: body.confirmed === true,
    bytes,
    object: isPresent(body.object) ? body.object : null,
    warnings: [],
    radio,
    heard_by: heard.map(({ each: _, ...gateway }) => gateway),
    per: null,
    battery: null,
    more: {
      dev_addr: session,
      adr: body.adr === true,
      coding_rate: textOf(lora.codeRate),
      ...(isPresent(fsk) ? { fsk } : {}),
      ...(isPresent(lrFhss) ? { lr_fhss: lrFhss } : {}),
      ...(isPresent(info.tags) ? { tags: info.tags } : {}),
      received_by_network: textOf(best?.each.nsTime),
    },
  };
}

function heardBy(info: Json): HeardBy {
  const place = positionOf(info.location);
  return {
    gateway_id: textOf(info.gatewayId) ?? 'unknown',
    // The mapping leaves out zeros, and 0 dBm is nothing a gateway reports.
    rssi: numberOf(info.rssi),
    snr: numberOf(info.snr) ?? (info.rssi === undefined ? null : 0),
    latitude: place?.latitude ?? null,
    longitude: place?.longitude ?? null,
    ...known({ channel_index: numberOf(info.channel), altitude: place && numberOf(objectOf(info.location).altitude) }),
  };
}

function gatewayTime(received: Json[], best: Json | undefined): number | null {
  for (const each of best ? [best, ...received] : received) {
    const at = timeOf(each.gwTime);
    if (at !== null) return at;
  }
  return null;
}

function told(kind: DeviceEvent['kind'], event: string, body: Json, end_device: EndDevice, message: string): DeviceEvent {
  const id = textOf(body.deduplicationId, 64);
  const time = textOf(body.time);
  const key = id ?? time;
  return {
    kind,
    event,
    source: 'chirpstack',
    end_device,
    level: 'info',
    message,
    key: key && `${event}/${key}`,
    at: timeOf(time),
    raw: body,
  };
}

function readJoin(body: Json, end_device: EndDevice): DeviceEvent {
  // ChirpStack empties the queue of a device that activates, unless its profile says otherwise, and reports nothing about that.
  return { ...told('join', 'join', body, end_device, 'Joined the network'), session: textOf(body.devAddr), isQueueLost: true };
}

function readStatus(body: Json, end_device: EndDevice): NetworkEvent {
  const margin = countOrBelow(body.margin);
  const hasBattery = body.externalPowerSource !== true && body.batteryLevelUnavailable !== true;
  const battery = hasBattery ? (numberOf(body.batteryLevel) ?? 0) : null;
  const words = [
    `Margin ${margin} dB`,
    battery === null ? (body.externalPowerSource === true ? 'external power' : null) : `battery ${battery} %`,
  ];
  return { ...told('status', 'status', body, end_device, words.filter(Boolean).join(', ')), margin, battery };
}

/** A missing value is 0; a margin may be negative. */
const countOrBelow = (value: unknown): number => numberOf(value) ?? 0;

function readLocation(body: Json, end_device: EndDevice): NetworkEvent {
  const position = positionOf(body.location);
  return {
    ...told('location', 'location', body, end_device, position ? 'The network found its position' : 'A position without coordinates'),
    position,
  };
}

function downlink(event: string, state: DownlinkReport['state'], body: Json, end_device: EndDevice): DownlinkReport {
  return {
    kind: 'downlink',
    event,
    state,
    source: 'chirpstack',
    end_device,
    attempt_id: textOf(body.queueItemId, 100),
    fcnt: numberOf(body.fCntDown),
    attempt: null,
    will_repeat: false,
    reason: null,
    at: timeOf(body.time),
    raw: body,
  };
}

/** A missing `acknowledged` means false: the mapping omits defaults. */
function readAck(body: Json, end_device: EndDevice): DownlinkReport {
  return downlink('ack', body.acknowledged === true ? 'acknowledged' : 'nacked', body, end_device);
}

function readTxAck(body: Json, end_device: EndDevice): DownlinkReport {
  return downlink('txack', 'sent', body, end_device);
}

/** iot-behaviour 2.5: these fail the command they speak of; the others are shown. */
const failing = new Set(['DOWNLINK_PAYLOAD_SIZE', 'DOWNLINK_CODEC', 'DOWNLINK_GATEWAY', 'EXPIRED', 'F_CNT_DOWN']);

function readLog(body: Json, end_device: EndDevice): NetworkEvent {
  const code = textOf(body.code, 64) ?? 'UNKNOWN';
  const text = [code, textOf(body.description, 500)].filter(Boolean).join(': ');
  const item = textOf(objectOf(body.context).queue_item_id, 100) ?? textOf(objectOf(body.context).queueItemId, 100);
  if (failing.has(code)) return { ...downlink('log', 'failed', body, end_device), attempt_id: item, reason: text };
  return { ...told('log', 'log', body, end_device, text), level: levelOf(code, textOf(body.level)?.toLowerCase()) };
}

/** iot-behaviour 2.5: a log about an uplink or a join is shown as a warning, whichever level ChirpStack gives it. */
function levelOf(code: string, level: string | undefined): DeviceEvent['level'] {
  if (/^(UPLINK|OTAA)/.test(code)) return 'warning';
  if (level === undefined || level === 'info') return 'info';
  return level === 'error' ? 'error' : 'warning';
}
