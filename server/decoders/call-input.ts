/** iot-behaviour 4.1: the argument of decodeUplink, which is sent as JSON. */
export interface UplinkInput {
  bytes: Uint8Array;
  fport: number;
  receivedAtMs: number;
  device: { channel_id: string; device_id: string; dev_eui: string | null };
  variables?: Record<string, string> | undefined;
}

export const uplinkInput = ({ bytes, fport, receivedAtMs, device, variables = {} }: UplinkInput): string =>
  JSON.stringify({ bytes: [...bytes], fPort: fport, recvTime: receivedAtMs, variables, device });

export const encodeInput = (data: Record<string, unknown>, fport: number, variables: Record<string, string> = {}): string =>
  JSON.stringify({ data, fPort: fport, variables });

export const downlinkInput = (bytes: Uint8Array, fport: number): string => JSON.stringify({ bytes: [...bytes], fPort: fport });
