import { limits } from './limits.ts';
import { type Refusal, refuse } from './record.ts';

/** iot-behaviour 3.3: what a device answers to a command. */
export interface CommandAnswer {
  id: string;
  ok: boolean;
}

export function readAck(bytes: Uint8Array, text: string | null): { answer: CommandAnswer } | { refusal: Refusal } {
  if (bytes.length > limits.payloadBytes) return refuse('too_large', `A payload has at most ${limits.payloadBytes} bytes.`);
  let said: unknown;
  try {
    said = JSON.parse(text ?? '');
  } catch {
    return refuse('bad_json', 'The payload is not valid JSON.');
  }
  const { id, ok } = (typeof said === 'object' && said !== null ? said : {}) as Record<string, unknown>;
  const isId = typeof id === 'string' && id !== '' && id.length <= limits.messageIdLength && !id.includes('\0');
  if (!isId || typeof ok !== 'boolean') return refuse('bad_shape', 'An answer has the id of its command and ok, true or false.');
  return { answer: { id, ok } };
}
