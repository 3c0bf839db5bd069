import { chirpstack } from './chirpstack/chirpstack.ts';
import { httpUplink } from './http-uplink.ts';
import type { NetworkKind } from './network.ts';
import { simulated } from './simulated/simulated.ts';
import { tts } from './tts/tts.ts';

export const networks: readonly NetworkKind[] = [tts, chirpstack, httpUplink, simulated];

export const findNetworkKind = (type: string): NetworkKind | undefined => networks.find((kind) => kind.type === type);
