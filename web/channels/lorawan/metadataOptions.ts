/** iot-behaviour 2.5: the cost of each level is stated where it is chosen. */
export const metadataOptions = [
  { value: 'none', name: 'None' },
  { value: 'basic', name: 'Basic: rssi, snr, sf, fcnt (4 points per uplink)' },
  { value: 'full', name: 'Full: frequency, airtime, gateways and more (up to 13 points)' },
] as const;
