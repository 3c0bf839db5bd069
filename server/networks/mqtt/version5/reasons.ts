import type { RejectionCode } from '@telltale/domain/uplinks/record.ts';

/** Reason codes of MQTT 5, as far as we say them. */
export const reasons = {
  unspecified: 0x80,
  malformedPacket: 0x81,
  protocolError: 0x82,
  clientIdInvalid: 0x85,
  badCredentials: 0x86,
  notAuthorized: 0x87,
  serverUnavailable: 0x88,
  serverBusy: 0x89,
  banned: 0x8a,
  keepAliveTimeout: 0x8d,
  filterInvalid: 0x8f,
  topicInvalid: 0x90,
  receiveMaximumExceeded: 0x93,
  packetTooLarge: 0x95,
  quotaExceeded: 0x97,
  payloadInvalid: 0x99,
  sharedNotSupported: 0x9e,
} as const;
export type Reason = (typeof reasons)[keyof typeof reasons];

const ofRejections: Partial<Record<RejectionCode, Reason>> = {
  bad_json: reasons.payloadInvalid,
  bad_shape: reasons.payloadInvalid,
  too_large: reasons.payloadInvalid,
  too_many_points: reasons.payloadInvalid,
  bad_time: reasons.payloadInvalid,
  senml_version: reasons.payloadInvalid,
  unknown_device: reasons.topicInvalid,
  device_disabled: reasons.notAuthorized,
  rate_limited: reasons.quotaExceeded,
  too_many_devices: reasons.quotaExceeded,
};

/** A message that was rejected for good: it is acknowledged, and MQTT 5 says with the acknowledgement why. */
export class RejectedPublish extends Error {
  readonly reasonCode: Reason;
  constructor(code: string, message: string) {
    super(message);
    this.reasonCode = ofRejections[code as RejectionCode] ?? reasons.unspecified;
  }
}
