import type { EngineFault } from './protocol.ts';

export const timedOut = (ms: number): EngineFault => ({ code: 'decoder_timeout', message: `The decoder took longer than ${ms} ms.` });
