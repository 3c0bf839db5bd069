const digits = '0123456789ABCDEFGHJKMNPQRSTVWXYZ';

/** The 128 bits of a ULID as a UUID: ChirpStack accepts only ids of that form. */
export function uuidOfUlid(ulid: string): string {
  const value = [...ulid.toUpperCase()].reduce((sum, letter) => sum * 32n + BigInt(digits.indexOf(letter)), 0n);
  const hex = value.toString(16).padStart(32, '0');
  return hex.replace(/^(.{8})(.{4})(.{4})(.{4})(.{12})$/, '$1-$2-$3-$4-$5');
}

/** Null when the text is no UUID: then the downlink is not ours. */
export function ulidOfUuid(uuid: string): string | null {
  const hex = uuid.replaceAll('-', '');
  if (!/^[0-9a-f]{32}$/i.test(hex)) return null;
  let value = BigInt(`0x${hex}`);
  let ulid = '';
  for (let place = 0; place < 26; place++) {
    ulid = digits[Number(value % 32n)] + ulid;
    value /= 32n;
  }
  return ulid;
}
