import { mkdir } from 'node:fs/promises';

/** Run by browser.ts as a process of its own: the package unpacks into the folder for temporary files, whatever is there already. */
const [target] = process.argv.slice(2);
if (!target) throw new Error('usage: node unpack-browser.ts <target folder>');
process.env.TMPDIR = target;
await mkdir(target, { recursive: true });
const { default: packed } = await import('@sparticuz/chromium');
await packed.executablePath();
