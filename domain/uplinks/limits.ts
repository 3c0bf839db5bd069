/** iot-behaviour 1.6. */
export const limits = {
  /** Remaining length of an MQTT packet. */
  packetBytes: 70_000,
  payloadBytes: 65_536,
  points: 1000,
  entries: 500,
  attributesPerDevice: 500,
  textBytes: 4096,
  nameBytes: 128,
  unitLength: 64,
  depth: 6,
  arrayLength: 32,
  messageIdLength: 64,
  topicLevels: 8,
  topicBytes: 256,
  clientIdBytes: 128,
  willBytes: 1024,
} as const;

/** iot-behaviour 1.9. */
export const messageIdWindowMs = 24 * 60 * 60_000;
export const packetIdWindowMs = 10 * 60_000;
