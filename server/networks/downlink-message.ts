import type { Downlink } from './downlinks.ts';

/** iot-behaviour 3.3: a command as devices of our own broker and of the HTTP twin receive it. */
export function downlinkMessage({ attempt_id, command, fport, mode, confirm, payload, created, expires }: Downlink) {
  return { id: attempt_id, command, fport, mode, confirm, ...body(payload), ts: created, expires };
}

function body(payload: Downlink['payload']): { payload: unknown; encoding?: 'hex' | 'base64' | 'text' } {
  if (payload.encoding === 'json') {
    return payload.isEncoded ? { payload: payload.bytes.toString('hex'), encoding: 'hex' } : { payload: payload.value };
  }
  const { encoding, bytes } = payload;
  return { payload: bytes.toString(encoding === 'text' ? 'utf8' : encoding), encoding };
}
