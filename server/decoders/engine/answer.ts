import { decoderLimits } from '@telltale/domain/decoders/limits.ts';
import type { EngineFault, EngineResult } from './protocol.ts';

/** A script's answer after validation: all of its content is untrusted. */
export interface Answer {
  data: unknown;
  bytes: number[] | null;
  fPort: number | null;
  warnings: string[];
  /** Errors that the script itself reported, or `fault`, each with its code as a prefix. */
  errors: string[];
  fault: EngineFault | null;
  log: string[];
  ms: number;
}

const texts = (value: unknown, most: number): string[] =>
  Array.isArray(value) ? value.slice(0, most).map((text) => String(text).slice(0, decoderLimits.textLength)) : [];

export function readAnswer(result: EngineResult): Answer {
  const { ms } = result;
  if ('fault' in result) return failed(result.fault, ms, []);
  const told = parse(result.text);
  const log = texts(told.log, decoderLimits.logLines);
  if (told.fault) return failed(told.fault as EngineFault, ms, log);
  const reported = texts(told.errors, decoderLimits.warnings);
  const warnings = texts(told.warnings, decoderLimits.warnings);
  if (reported.length > 0) {
    const fault: EngineFault = { code: 'decoder_error', message: reported.join('; ').slice(0, decoderLimits.textLength) };
    return { ...failed(fault, ms, log), warnings, errors: reported.map((text) => `decoder_error: ${text}`) };
  }
  if (Buffer.byteLength(result.text) > decoderLimits.outputBytes + 16_384)
    return failed({ code: 'decoder_error', message: 'The output has more than 64 KiB.' }, ms, log);
  const fPort = typeof told.fPort === 'number' && Number.isInteger(told.fPort) ? told.fPort : null;
  return { data: told.data ?? null, bytes: (told.bytes as number[]) ?? null, fPort, warnings, errors: [], fault: null, log, ms };
}

function parse(text: string): Record<string, unknown> {
  try {
    return JSON.parse(text) as Record<string, unknown>;
  } catch {
    return { fault: { code: 'decoder_error', message: 'The output is not JSON.' } };
  }
}

function failed(fault: EngineFault, ms: number, log: string[]): Answer {
  const place = fault.line === undefined ? '' : ` (line ${fault.line})`;
  return { data: null, bytes: null, fPort: null, warnings: [], errors: [`${fault.code}: ${fault.message}${place}`], fault, log, ms };
}
