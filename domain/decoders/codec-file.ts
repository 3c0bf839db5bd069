import { utf8Length } from '../uplinks/utf8.ts';
import { decoderLimits } from './limits.ts';

export type CodecFile = { script: string; entries: string[] } | { fault: string };

const known = ['decodeUplink', 'encodeDownlink', 'decodeDownlink', 'normalizeUplink', 'Decoder', 'Decode', 'Encoder', 'Encode'] as const;
const isDefined = (script: string, name: string) =>
  new RegExp(`(?:function\\s*\\*?\\s+${name}\\b|\\b(?:var|let|const)\\s+${name}\\b|(?:^|[\\s;.])${name}\\s*[=:])`, 'm').test(script);

/**
 * Reads a codec as the device repository of The Things Network and ChirpStack keep them: one JavaScript file, with or without module
 * syntax, which our scripts do not have. The answer names the functions it seems to have, so that a wrong file is noticed before it is
 * saved.
 */
export function readCodecFile(text: string): CodecFile {
  const plain = text.replace(/^\uFEFF/, '').replace(/\r\n?/g, '\n');
  if (utf8Length(plain) > decoderLimits.scriptBytes) return { fault: 'The file has more than 64 KiB.' };
  if (plain.includes('\0')) return { fault: 'The file is not text.' };
  if (/^\s*import\s[^(]/m.test(plain)) return { fault: 'The file imports other modules. A codec is one file.' };
  const script = plain
    .replace(/^(\s*)export\s+default\s+(?=(?:async\s+)?function\s+\w|class\s+\w)/gm, '$1')
    .replace(/^(\s*)export\s+default\s+/gm, '$1module.exports = ')
    .replace(/^(\s*)export\s+(?=(?:async\s+)?function\b|class\b|const\b|let\b|var\b)/gm, '$1')
    .replace(/^\s*export\s*\{[^}]*\}\s*;?[ \t]*$/gm, '');
  const entries = known.filter((name) => isDefined(script, name));
  if (entries.length === 0) return { fault: 'The file has no function decodeUplink, encodeDownlink, Decoder, Decode or Encoder.' };
  return { script, entries };
}
