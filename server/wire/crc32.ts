/** The CRC-32 polynomial of gzip and zip, lowest bit first. */
const polynomial = 0xedb88320;

/** a · b modulo the polynomial; the highest bit stands for x⁰. */
function multiply(a: number, b: number): number {
  let product = 0;
  let factor = b;
  for (let bit = 0x80000000; bit !== 0; bit >>>= 1) {
    if (a & bit) product ^= factor;
    factor = factor & 1 ? (factor >>> 1) ^ polynomial : factor >>> 1;
  }
  return product >>> 0;
}

/** x^(2^k) for k = 0 … 31; the powers repeat from there. */
const squares = (() => {
  const powers = [0x40000000];
  for (let k = 1; k < 32; k++) powers.push(multiply(powers[k - 1] ?? 0, powers[k - 1] ?? 0));
  return powers;
})();

/** x^(8 · bytes): what `bytes` zero bytes do to a checksum. */
function shift(bytes: number): number {
  let power = 0x80000000;
  for (let left = bytes, k = 3; left > 0; left = Math.floor(left / 2), k++) {
    if (left % 2 === 1) power = multiply(squares[k % 32] ?? 0, power);
  }
  return power;
}

/** CRC-32 of two byte sequences joined, from the checksum of each and the length of the second. */
export function combineCrc32(first: number, second: number, secondLength: number): number {
  return (multiply(shift(secondLength), first) ^ second) >>> 0;
}
