/** Told by every flush (`Flush.notice` in server/uplinks/storage). */
export const uplinkNotification = 'telltale_uplinks';

export interface UplinkNotice {
  /** Devices that reported. */
  devices: number[];
  /** Devices that repeated a message, with the id of the original. */
  repeated: { pk: number; original: string }[];
  /** There were more devices than fit in a notification. */
  isAll: boolean;
  /** When the earliest of the messages came, in milliseconds: a commit may be late. Null when nobody knows. */
  cameAt: number | null;
}

/** Reads `12 15 15=01JH… @1767225600123`, or `* @1767225600123`. */
export function readNotice(payload: string): UplinkNotice {
  const notice: UplinkNotice = { devices: [], repeated: [], isAll: false, cameAt: null };
  for (const part of payload.split(' ')) {
    const [, pk, original] = /^(\d{1,10})(?:=([0-9A-Z]{26}))?$/.exec(part) ?? [];
    const [, cameAt] = /^@(\d{1,15})$/.exec(part) ?? [];
    if (pk && original) notice.repeated.push({ pk: Number(pk), original });
    else if (pk) notice.devices.push(Number(pk));
    else if (cameAt) notice.cameAt = Number(cameAt);
    else if (part === '*') notice.isAll = true;
  }
  return notice;
}
