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

/** iot-behaviour 2.2: the member that a message carries says what kind of message it is, never the path. */
const readers: Record<string, (body: Json, member: Json, end_device: EndDevice) => NetworkEvent | NetworkEvent[]> = {
  uplink_message: readUplink,
  join_accept: readJoin,
  downlink_queued: (body, member, device) => readDownlink('queued', 'queued', body, member, device),
  downlink_sent: (body, member, device) => readDownlink('sent', 'sent', body, member, device),
  downlink_ack: (body, member, device) => readDownlink('ack', 'acknowledged', body, member, device),
  downlink_nack: (body, member, device) => readDownlink('nack', 'nacked', body, member, device),
  downlink_failed: readFailed,
  downlink_queue_invalidated: readInvalidated,
  location_solved: readLocation,
  service_data: (body, member, device) =>
    other(body, member, device, 'service', `Data of the service ${textOf(member.service) ?? 'without a name'}`),
  uplink_normalized: (body, member, device) => other(body, member, device, 'normalized', 'A normalized payload'),
};

export function readTts(body: Json): NetworkEvent[] {
  const ids = objectOf(body.end_device_ids);
  const end_device: EndDevice = {
    device_id: textOf(ids.device_id),
    dev_eui: readEui(ids.dev_eui),
    name: null,
    application_id: textOf(objectOf(ids.application_ids).application_id),
  };
  if (end_device.device_id === null && end_device.dev_eui === null) throw new Unreadable('The message names no end device.');
  for (const [name, read] of Object.entries(readers)) {
    const member = body[name];
    if (isPresent(member)) return [read(body, member, end_device)].flat();
  }
  return [other(body, body, end_device, 'other', 'A message of an unknown kind')];
}

function readUplink(body: Json, uplink: Json, end_device: EndDevice): UplinkEvent {
  const metadata = listOf(uplink.rx_metadata);
  const heard = metadata.map((each) => ({ each, ...heardBy(each) }));
  const best = bestGateway(heard);
  const settings = objectOf(uplink.settings);
  const rate = objectOf(settings.data_rate);
  const lora = objectOf(rate.lora);
  const bytes = bytesOf(uplink.frm_payload);
  const [sf, bw] = [numberOf(lora.spreading_factor), numberOf(lora.bandwidth)];
  const codingRate = codingRateOf(lora.coding_rate) ?? codingRateOf(settings.coding_rate);
  const radio: Radio = {
    rssi: best?.rssi ?? null,
    snr: best?.snr ?? null,
    sf,
    bw,
    frequency: numberOf(settings.frequency),
    gateway: best?.gateway_id ?? null,
    gateways: metadata.length,
    airtime_ms: secondsOf(uplink.consumed_airtime) ?? computedAirtime({ sf, bw }, bytes.length, codingRate),
    dr: null,
  };
  const ids = objectOf(body.end_device_ids);
  const session = textOf(uplink.session_key_id) ?? textOf(ids.dev_addr);
  const [fcnt, fport] = [countOf(uplink.f_cnt), portOf(uplink.f_port ?? 0)];
  const { decoded_payload, decoded_payload_warnings, packet_error_rate, attributes } = uplink;
  return {
    kind: 'uplink',
    source: body.simulated === true || uplink.simulated === true ? 'simulated' : 'tts',
    end_device,
    at: heardAt(metadata, best?.each) ?? timeOf(uplink.received_at) ?? timeOf(body.received_at),
    fport,
    fcnt,
    session,
    message_id: `tts/${session ?? ''}/${fcnt}/${fport ?? ''}`,
    confirmed: uplink.confirmed === true,
    bytes,
    object: isPresent(decoded_payload) ? decoded_payload : null,
    warnings: Array.isArray(decoded_payload_warnings) ? decoded_payload_warnings.filter((each) => typeof each === 'string') : [],
    radio,
    heard_by: heard.map(({ each: _, ...gateway }) => gateway),
    per: numberOf(packet_error_rate),
    battery: numberOf(objectOf(uplink.last_battery_percentage).value),
    more: {
      join_eui: readEui(ids.join_eui),
      dev_addr: textOf(ids.dev_addr),
      coding_rate: textOf(lora.coding_rate) ?? textOf(settings.coding_rate),
      ...(isPresent(rate.fsk) ? { fsk: rate.fsk } : {}),
      ...(isPresent(rate.lrfhss) ? { lr_fhss: rate.lrfhss } : {}),
      ...(isPresent(attributes) ? { tags: attributes } : {}),
      ...(uplink.normalized_payload ? { normalized_payload: uplink.normalized_payload } : {}),
      received_by_network: textOf(body.received_at),
    },
  };
}

function heardBy(metadata: Json): HeardBy {
  const ids = objectOf(metadata.gateway_ids);
  const place = positionOf(metadata.location);
  const channel_rssi = numberOf(metadata.channel_rssi);
  return {
    gateway_id: textOf(ids.gateway_id) ?? textOf(ids.eui) ?? 'unknown',
    rssi: numberOf(metadata.rssi) ?? channel_rssi,
    snr: numberOf(metadata.snr),
    latitude: place?.latitude ?? null,
    longitude: place?.longitude ?? null,
    ...known({
      eui: readEui(ids.eui),
      channel_rssi,
      channel_index: numberOf(metadata.channel_index),
      altitude: place && numberOf(objectOf(metadata.location).altitude),
    }),
  };
}

/** The time of a satellite clock first, then of the best gateway's clock, then of any. */
function heardAt(metadata: Json[], best: Json | undefined): number | null {
  const inOrder = best ? [best, ...metadata] : metadata;
  for (const clock of ['gps_time', 'time']) {
    for (const each of inOrder) {
      const at = timeOf(each[clock]);
      if (at !== null) return at;
    }
  }
  return null;
}

/** Parses `0.056576s` to milliseconds. */
function secondsOf(value: unknown): number | null {
  const found = /^(\d+(?:\.\d+)?)s$/.exec(textOf(value) ?? '');
  return found ? Math.round(Number(found[1]) * 1_000_000) / 1000 : null;
}

function readJoin(body: Json, join: Json, end_device: EndDevice): NetworkEvent[] {
  const session = textOf(join.session_key_id);
  const joined: DeviceEvent = {
    kind: 'join',
    event: 'join',
    source: 'tts',
    end_device,
    level: 'info',
    message: 'Joined the network',
    key: `join/${session ?? textOf(join.received_at) ?? textOf(body.received_at) ?? ''}`,
    at: timeOf(join.received_at) ?? timeOf(body.received_at),
    session,
    raw: body,
  };
  return [joined, ...requeued(body, join.invalidated_downlinks, end_device)];
}

/** Our own id: the correlation id that begins with `cmd:`. */
const ownId = (ids: unknown): string | null =>
  (Array.isArray(ids) ? ids : []).flatMap((id) => (typeof id === 'string' && id.startsWith('cmd:') ? [id.slice(4, 104)] : []))[0] ?? null;

function readDownlink(event: string, state: DownlinkReport['state'], body: Json, member: Json, end_device: EndDevice): DownlinkReport {
  const retry = objectOf(member.confirmed_retry);
  const attempt = numberOf(retry.attempt);
  const most = numberOf(retry.max_attempts);
  return {
    kind: 'downlink',
    event,
    state,
    source: 'tts',
    end_device,
    attempt_id: ownId(member.correlation_ids) ?? ownId(body.correlation_ids),
    fcnt: numberOf(member.f_cnt),
    attempt,
    will_repeat: state === 'nacked' && (most === null || attempt === null || attempt < most),
    reason: null,
    at: timeOf(body.received_at),
    raw: body,
  };
}

function readFailed(body: Json, member: Json, end_device: EndDevice): DownlinkReport {
  const downlink = objectOf(member.downlink);
  const error = objectOf(member.error);
  const reason = textOf(error.message_format) ?? textOf(error.name) ?? 'The network could not send it';
  const told = readDownlink(
    'failed',
    'failed',
    body,
    { ...downlink, correlation_ids: downlink.correlation_ids ?? member.correlation_ids },
    end_device,
  );
  return { ...told, reason: textOf(error.name) ? `${textOf(error.name)}: ${reason}` : reason };
}

/** The network encrypts the queue anew by itself; the event lists the contents of the queue. */
function readInvalidated(body: Json, member: Json, end_device: EndDevice): NetworkEvent[] {
  const told = requeued(body, member.downlinks, end_device).map((each) => ({ ...each, fcnt: numberOf(member.last_f_cnt_down) }));
  return told.length > 0 ? told : [other(body, member, end_device, 'invalidated', 'The network queues its downlinks again')];
}

const requeued = (body: Json, downlinks: unknown, end_device: EndDevice): DownlinkReport[] =>
  listOf(downlinks).map((each) => readDownlink('invalidated', 'requeued', { ...body, correlation_ids: null }, each, end_device));

function readLocation(body: Json, member: Json, end_device: EndDevice): DeviceEvent {
  const position = positionOf(member.location);
  const event = other(body, member, end_device, 'location', position ? 'The network found its position' : 'A position without coordinates');
  return { ...event, kind: 'location', position };
}

function other(body: Json, _member: Json, end_device: EndDevice, event: string, message: string): DeviceEvent {
  const received = textOf(body.received_at);
  return {
    kind: 'other',
    event,
    source: 'tts',
    end_device,
    level: 'info',
    message,
    key: received && `${event}/${received}`,
    at: timeOf(received),
    raw: body,
  };
}
