const subackType = 9;
const reasonString = 0x1f;
const longestReason = 1000;

/** What a SUBACK says beyond the codes that Aedes writes. */
export interface SubackChange {
  /** MQTT 5: a sentence about what was refused. */
  reason?: string;
  /** Codes by their place; a code may also be the one of another place. */
  codes: Map<number, number | { like: number }>;
}

/**
 * Changes the SUBACK with this packet id on its way out. `bytes` hold whole packets, as Aedes writes them in one turn. Undefined when the
 * packet is not among them.
 */
export function changeSuback(bytes: Buffer, messageId: number, hasProperties: boolean, change: SubackChange): Buffer | undefined {
  for (let at = 0; at < bytes.length; ) {
    let body = at + 1;
    let length = 0;
    for (let shift = 0; body < bytes.length; shift += 7) {
      const byte = bytes[body++] as number;
      length += (byte & 127) << shift;
      if (byte < 128) break;
    }
    const end = body + length;
    if (end > bytes.length) return undefined;
    if ((bytes[at] as number) >> 4 === subackType && bytes.readUInt16BE(body) === messageId)
      return Buffer.concat([bytes.subarray(0, at), changed(bytes.subarray(body, end), hasProperties, change), bytes.subarray(end)]);
    at = end;
  }
  return undefined;
}

function changed(body: Buffer, hasProperties: boolean, { reason, codes }: SubackChange): Buffer {
  // Aedes gives it no properties: their length is one byte, 0.
  const given = body.subarray(hasProperties ? 3 : 2);
  const all = Buffer.from(given);
  for (const [place, code] of codes) all[place] = typeof code === 'number' ? code : (given[code.like] as number);
  const content = Buffer.concat([body.subarray(0, 2), hasProperties ? propertiesWith(reason) : Buffer.alloc(0), all]);
  return Buffer.concat([Buffer.from([subackType << 4]), variable(content.length), content]);
}

function propertiesWith(reason: string | undefined): Buffer {
  if (reason === undefined) return Buffer.from([0]);
  const text = Buffer.from(reason.slice(0, longestReason), 'utf8');
  const properties = Buffer.concat([Buffer.from([reasonString, text.length >> 8, text.length & 255]), text]);
  return Buffer.concat([variable(properties.length), properties]);
}

function variable(value: number): Buffer {
  const bytes: number[] = [];
  for (let left = value; ; ) {
    const byte = left & 127;
    left >>= 7;
    bytes.push(left > 0 ? byte | 128 : byte);
    if (left === 0) return Buffer.from(bytes);
  }
}
