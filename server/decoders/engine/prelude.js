/*
 * Runs inside the sandbox before the script of a channel, and is part of its snapshot. Gives scripts what published codecs
 * expect (console, Buffer, module.exports) and returns the functions that the host calls. Whatever a script does to the
 * functions captured here, it does to its own result only.
 */
(() => {
  const { parse, stringify } = JSON;
  const { isArray, from: toArray } = Array;
  const { isView } = ArrayBuffer;
  const { keys } = Object;
  // biome-ignore lint/security/noGlobalEval: it finds what a script has declared with let and const, inside the sandbox.
  const lookUp = eval;
  const limits = { text: 200, log: 20, output: 65536, warnings: 10, bytes: 65536 };

  const cut = (value) => {
    let text;
    try {
      text = typeof value === 'string' ? value : typeof value === 'object' ? (stringify(value) ?? String(value)) : String(value);
    } catch {
      text = '[unreadable]';
    }
    return text.length > limits.text ? `${text.slice(0, limits.text - 1)}…` : text;
  };

  let log;
  const print = (...parts) => {
    if (log !== undefined && log.length < limits.log) log[log.length] = cut(parts.map(cut).join(' '));
  };
  globalThis.console = { log: print, info: print, debug: print, warn: print, error: print, trace: print };
  globalThis.module = { exports: {} };
  globalThis.exports = globalThis.module.exports;

  /** The part of Node's Buffer that published codecs use. */
  const base64 = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/';
  const fromHex = (text) => {
    const pairs = /^(?:[0-9a-f]{2})*/i.exec(text)[0];
    return toArray({ length: pairs.length / 2 }, (_, i) => Number.parseInt(pairs.slice(2 * i, 2 * i + 2), 16));
  };
  const fromBase64 = (text) => {
    const bytes = [];
    let [held, bits] = [0, 0];
    for (const sign of text.replace(/-/g, '+').replace(/_/g, '/')) {
      const value = base64.indexOf(sign);
      if (sign === '=') break;
      if (value < 0) continue;
      held = ((held << 6) | value) & 0xffffff;
      bits += 6;
      if (bits >= 8) {
        bits -= 8;
        bytes.push((held >> bits) & 255);
      }
    }
    return bytes;
  };
  const fromUtf8 = (text) => {
    const bytes = [];
    for (const sign of encodeURIComponent(text.toWellFormed ? text.toWellFormed() : text).match(/%..|./g) ?? [])
      bytes.push(sign.length === 3 ? Number.parseInt(sign.slice(1), 16) : sign.charCodeAt(0));
    return bytes;
  };
  const toUtf8 = (bytes) => {
    let text = '';
    for (let i = 0; i < bytes.length; ) {
      const first = bytes[i++];
      const more =
        first < 0x80 ? 0 : first >= 0xc2 && first < 0xe0 ? 1 : first >= 0xe0 && first < 0xf0 ? 2 : first >= 0xf0 && first < 0xf5 ? 3 : -1;
      let code = more === 0 ? first : more > 0 ? first & (0x3f >> more) : 0xfffd;
      for (let n = 0; n < more; n++) {
        if ((bytes[i] & 0xc0) !== 0x80) {
          code = 0xfffd;
          break;
        }
        code = (code << 6) | (bytes[i++] & 0x3f);
      }
      text += String.fromCodePoint(code > 0x10ffff || (code >= 0xd800 && code < 0xe000) ? 0xfffd : code);
    }
    return text;
  };
  const readers = { hex: fromHex, base64: fromBase64, base64url: fromBase64, utf8: fromUtf8, 'utf-8': fromUtf8 };
  const latin = (text) => toArray(text, (sign) => sign.charCodeAt(0) & 255);
  for (const name of ['ascii', 'latin1', 'binary']) readers[name] = latin;

  class Buffer extends Uint8Array {
    static from(source, encoding = 'utf8') {
      if (typeof source === 'string') {
        const read = readers[String(encoding).toLowerCase()];
        if (!read) throw new TypeError(`Unknown encoding: ${encoding}`);
        return new Buffer(read(source));
      }
      if (source instanceof ArrayBuffer) return new Buffer(source);
      return new Buffer(toArray(source?.type === 'Buffer' ? source.data : source, (byte) => byte & 255));
    }
    static alloc(size, fill = 0) {
      return new Buffer(size).fill(fill);
    }
    static isBuffer(value) {
      return value instanceof Buffer;
    }
    static concat(list) {
      return Buffer.from(list.flatMap((part) => toArray(part)));
    }
    static byteLength(text, encoding) {
      return Buffer.from(text, encoding).length;
    }
    toString(encoding = 'utf8', start = 0, end = this.length) {
      const bytes = toArray(this).slice(start, end);
      switch (String(encoding).toLowerCase()) {
        case 'hex':
          return bytes.map((byte) => byte.toString(16).padStart(2, '0')).join('');
        case 'base64':
        case 'base64url': {
          let text = '';
          for (let i = 0; i < bytes.length; i += 3) {
            const word = (bytes[i] << 16) | ((bytes[i + 1] ?? 0) << 8) | (bytes[i + 2] ?? 0);
            const part = base64[word >> 18] + base64[(word >> 12) & 63] + base64[(word >> 6) & 63] + base64[word & 63];
            text += part.slice(0, Math.min(4, bytes.length - i + 1)).padEnd(4, '=');
          }
          return encoding === 'base64' ? text : text.replace(/\+/g, '-').replace(/\//g, '_').replace(/=+$/, '');
        }
        case 'ascii':
          return bytes.map((byte) => String.fromCharCode(byte & 127)).join('');
        case 'latin1':
        case 'binary':
          return bytes.map((byte) => String.fromCharCode(byte)).join('');
        case 'utf8':
        case 'utf-8':
          return toUtf8(bytes);
        default:
          throw new TypeError(`Unknown encoding: ${encoding}`);
      }
    }
    toJSON() {
      return { type: 'Buffer', data: toArray(this) };
    }
    equals(other) {
      return this.length === other.length && this.every((byte, i) => byte === other[i]);
    }
    slice(start, end) {
      return this.subarray(start, end);
    }
    write(text, offset = 0, encoding = 'utf8') {
      const bytes = Buffer.from(text, encoding).subarray(0, Math.max(0, this.length - offset));
      this.set(bytes, offset);
      return bytes.length;
    }
  }
  const within = (buffer, offset, size) => {
    if (!Number.isInteger(offset) || offset < 0 || offset + size > buffer.length)
      throw new RangeError(`The value of "offset" is out of range: ${offset} of ${buffer.length} bytes`);
    return new DataView(buffer.buffer, buffer.byteOffset, buffer.byteLength);
  };
  const define = (name, method) => Object.defineProperty(Buffer.prototype, name, { value: method, writable: true, configurable: true });
  for (const [name, kind, size] of [
    ['UInt8', 'Uint8', 1],
    ['Int8', 'Int8', 1],
    ['UInt16', 'Uint16', 2],
    ['Int16', 'Int16', 2],
    ['UInt32', 'Uint32', 4],
    ['Int32', 'Int32', 4],
    ['Float', 'Float32', 4],
    ['Double', 'Float64', 8],
    ['BigUInt64', 'BigUint64', 8],
    ['BigInt64', 'BigInt64', 8],
  ]) {
    for (const order of size === 1 ? [''] : ['BE', 'LE']) {
      const isLittle = order === 'LE';
      const read = function (offset = 0) {
        return within(this, offset, size)[`get${kind}`](offset, isLittle);
      };
      const write = function (value, offset = 0) {
        within(this, offset, size)[`set${kind}`](offset, value, isLittle);
        return offset + size;
      };
      for (const written of [name, name.replace('UInt', 'Uint')]) {
        define(`read${written}${order}`, read);
        define(`write${written}${order}`, write);
      }
    }
  }
  for (const isLittle of [false, true]) {
    const order = isLittle ? 'LE' : 'BE';
    const read = function (offset, size) {
      within(this, offset, size);
      let value = 0;
      for (let i = 0; i < size; i++) value = value * 256 + this[isLittle ? offset + size - 1 - i : offset + i];
      return value;
    };
    const readSigned = function (offset, size) {
      const value = read.call(this, offset, size);
      return value >= 2 ** (8 * size - 1) ? value - 2 ** (8 * size) : value;
    };
    define(`readUInt${order}`, read);
    define(`readUint${order}`, read);
    define(`readInt${order}`, readSigned);
  }
  globalThis.Buffer = Buffer;

  const names = ['decodeUplink', 'encodeDownlink', 'decodeDownlink', 'normalizeUplink', 'Decoder', 'Decode', 'Encoder', 'Encode'];
  let entries = {};
  const findEntries = () => {
    const exported = globalThis.module?.exports ?? {};
    entries = {};
    for (const name of names) {
      let found = lookUp(`typeof ${name} === 'function' ? ${name} : undefined`);
      if (!found && typeof exported[name] === 'function') found = exported[name];
      if (found) entries[name] = found;
    }
    return stringify(keys(entries));
  };

  const texts = (value) => (value === undefined || value === null ? [] : isArray(value) ? toArray(value, cut) : [cut(value)]);
  const pathText = (holder, key) => (isArray(holder) ? `[${key}]` : key === '' ? 'data' : key);

  /** Whether JSON has a word for everything in it: then it is written without looking at each value again. */
  const isPlain = (value, depth) => {
    for (const key of keys(value)) {
      const item = value[key];
      const type = typeof item;
      if (type === 'number') {
        if (item - item !== 0) return false;
      } else if (type === 'object') {
        if (item !== null && (depth === 0 || isView(item) || item instanceof Map || item instanceof Date || !isPlain(item, depth - 1)))
          return false;
      } else if (type !== 'string' && type !== 'boolean') return false;
    }
    return true;
  };

  /** JSON of what a script returned; what JSON has no word for is left out with a warning (iot-behaviour 4.2). */
  const write = (data, warnings) => {
    if (isPlain(data, 8)) return stringify(data);
    const leaveOut = (holder, key, what) => {
      warnings[warnings.length] = cut(`skipped: ${pathText(holder, key)} is ${what}`);
      return undefined;
    };
    return stringify(data, function (key, value) {
      switch (typeof value) {
        case 'number':
          return value - value === 0 ? value : leaveOut(this, key, String(value));
        case 'bigint':
          return value >= -9007199254740991n && value <= 9007199254740991n ? Number(value) : String(value);
        case 'undefined':
        case 'function':
        case 'symbol':
          return leaveOut(this, key, typeof value === 'undefined' ? 'undefined' : `a ${typeof value}`);
        case 'object':
          if (value === null) return this[key] instanceof Date ? leaveOut(this, key, 'an invalid date') : null;
          if (value instanceof Map) return Object.fromEntries(value);
          return isView(this[key]) && !(this[key] instanceof DataView) ? toArray(this[key]) : value;
        default:
          return value;
      }
    });
  };

  const fail = (code, message, line, column) => stringify({ fault: { code, message, line, column }, log });
  const isObject = (value) => typeof value === 'object' && value !== null;
  const faultOf = (error) => {
    let [message, stack] = ['', ''];
    try {
      message = isObject(error) && 'message' in error ? `${error.name ?? 'Error'}: ${error.message}` : String(error);
      stack = isObject(error) ? String(error.stack ?? '') : '';
    } catch {
      message = 'The script threw something that cannot be shown.';
    }
    const place = /decoder\.js:(\d+)(?::(\d+))?/.exec(stack);
    return fail('decoder_error', cut(message), place ? Number(place[1]) : undefined, place?.[2] ? Number(place[2]) : undefined);
  };

  const none = [];
  const answer = (name, result) => {
    if (isObject(result) && typeof result.then === 'function')
      return fail('decoder_error', `${name} returned a promise. Decoders answer at once.`);
    if (!isObject(result)) return fail('decoder_no_data', `${name} returned no object.`);
    const { errors: reported, warnings: given } = result;
    const errors = reported === undefined ? none : texts(reported);
    const warnings = given === undefined ? none : texts(given);
    if (errors.length > 0) return stringify({ errors, warnings, log });
    if (name === 'encodeDownlink') {
      const { bytes } = result;
      if (!isArray(bytes) && !isView(bytes)) return fail('decoder_no_data', 'encodeDownlink returned no bytes.');
      if (bytes.length > limits.bytes) return fail('decoder_error', 'encodeDownlink returned too many bytes.');
      if (!toArray(bytes).every((byte) => typeof byte === 'number'))
        return fail('decoder_error', 'encodeDownlink returned bytes that are no numbers.');
      return stringify({ bytes: toArray(bytes, (byte) => byte & 255), fPort: result.fPort, errors, warnings, log });
    }
    const { data } = result;
    if (!isObject(data) || (isArray(data) ? data.length === 0 : keys(data).length === 0 && !isView(data)))
      return fail('decoder_no_data', `${name} returned no data.`);
    if (isArray(data) && !data.every((item) => isObject(item) && !isArray(item)))
      return fail('decoder_no_data', `${name} returned a list of something else than objects.`);
    const skipped = [];
    const text = write(data, skipped);
    if (text === undefined) return fail('decoder_no_data', `${name} returned no data.`);
    if (text.length > limits.output) return fail('decoder_error', 'The output has more than 64 KiB.');
    const told = warnings.length + skipped.length === 0 ? '[]' : stringify([...warnings, ...skipped].slice(0, limits.warnings));
    return `{"data":${text},"errors":[],"warnings":${told}${log === undefined ? '' : `,"log":${stringify(log)}`}}`;
  };

  const call = (name, input) => {
    if (name === 'decodeUplink') {
      input.recvTime = new Date(input.recvTime);
      const { bytes, fPort, variables } = input;
      if (entries.decodeUplink) return entries.decodeUplink(input);
      if (entries.Decoder) return { data: entries.Decoder(bytes, fPort) };
      if (entries.Decode) return { data: entries.Decode(fPort, bytes, variables) };
    } else if (name === 'encodeDownlink') {
      const { data, fPort, variables } = input;
      if (entries.encodeDownlink) return entries.encodeDownlink(input);
      if (entries.Encoder) return { bytes: entries.Encoder(data, fPort) };
      if (entries.Encode) return { bytes: entries.Encode(fPort, data, variables) };
    } else if (entries[name]) return entries[name](input);
    return undefined;
  };
  const isThere = {
    decodeUplink: () => entries.decodeUplink || entries.Decoder || entries.Decode,
    encodeDownlink: () => entries.encodeDownlink || entries.Encoder || entries.Encode,
    decodeDownlink: () => entries.decodeDownlink,
  };

  const run = (name, json, lines) => {
    log = lines;
    try {
      if (!isThere[name]()) return fail('decoder_missing', `The script has no function ${name}.`);
      return answer(name, call(name, parse(json)));
    } catch (error) {
      return faultOf(error);
    }
  };
  const functions = { entries: findEntries };
  for (const name of keys(isThere)) {
    functions[name] = (json) => run(name, json, undefined);
    functions[`${name} logged`] = (json) => run(name, json, []);
  }
  return functions;
})();
