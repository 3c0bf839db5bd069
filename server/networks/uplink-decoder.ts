import type { Point, Position } from '@telltale/domain/uplinks/record.ts';
import type { DeviceEntry } from './directory.ts';

/** Bytes of a device, for the script of its channel. */
export interface DecodeRequest {
  device: DeviceEntry;
  fport: number;
  bytes: Uint8Array;
  /** Microseconds since 1970. */
  receivedAt: number;
}

/** The script's result. Errors mean that there are no points; the bytes are kept either way (iot-behaviour 4.2). */
export interface Decoded {
  version: number;
  points: Point[];
  position: Position | null;
  warnings: string[];
  errors: string[];
}

/** A JSON object on its way to a device, for the encoder of its channel. */
export interface EncodeRequest {
  channel_pk: number;
  data: Record<string, unknown>;
  fport: number;
  variables?: Record<string, string> | undefined;
}

/** The bytes to send instead; `fport` is the script's own choice where it made one. While `isBusy`, a later try may succeed. */
export type Encoded = { bytes: Buffer; fport: number; warnings: string[] } | { errors: string[]; isBusy: boolean };

/** Scripts of channels (iot-behaviour 4), as networks, uplinks and commands need them; handed in by app.ts and the roles. */
export interface PayloadDecoder {
  /** False when the channel certainly has no decoder, so that the caller need not await anything. */
  mayDecode(channelPk: number): boolean;
  /** Null when the channel has no decoder; `busy` when too many messages wait: the sender is to send it again (4.3). */
  decode(request: DecodeRequest): Promise<Decoded | null | 'busy'>;
  /** Null when the channel has no encoder. */
  encode(request: EncodeRequest): Promise<Encoded | null>;
  /** Called when decoding again has left a device without any point of some attributes. */
  onSeriesGone(listener: (devicePk: number, attributeIds: number[]) => void): void;
}
