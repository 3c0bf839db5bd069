import { limits } from './limits.ts';
import { utf8Length } from './utf8.ts';

const plain = /^[A-Za-z0-9_.:%-]{1,128}$/;
const reserved = /^(lora|sys)\./;

/**
 * iot-behaviour 1.5: NFC; a run of anything but letters, digits and `_ . : % -` becomes `_`; at most 128 bytes; case kept. A payload cannot
 * use Telltale's own names (`lora.`, `sys.`). Empty when no character is left.
 */
export function attributeName(path: string): string {
  const name = plain.test(path) ? path : cleaned(path);
  return reserved.test(name) ? cut(`p.${name}`) : name;
}

function cleaned(path: string): string {
  return cut(path.normalize('NFC').replace(/[^\p{L}\p{M}\p{N}_.:%-]+/gu, '_')).replace(/^_+(?=[^_])|(?<=[^_])_+$/g, '');
}

/** Cuts a name to the limit, at whole characters. */
function cut(name: string): string {
  if (utf8Length(name) <= limits.nameBytes) return name;
  let kept = '';
  let bytes = 0;
  for (const character of name) {
    bytes += utf8Length(character);
    if (bytes > limits.nameBytes) break;
    kept += character;
  }
  return kept;
}
