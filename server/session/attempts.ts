import { createHash } from 'node:crypto';
import { isIP } from 'node:net';
import type { Db } from '../platform/database.ts';
import { countInWindow, countOneLess, deleteCount } from './attempts.store.ts';

const keyOf = (kind: string, subject: string) => `${kind} ${createHash('sha256').update(subject).digest('base64url')}`;

/** The network that attempts are counted for: one customer has a whole /64 of IPv6 addresses. */
export function networkOf(address: string): string {
  const mapped = /^::ffff:(\d+\.\d+\.\d+\.\d+)$/i.exec(address)?.[1];
  if (mapped || isIP(address) !== 6) return mapped ?? address;
  const [head = [], tail = []] = address.split('::').map((half) => half.split(':').filter(Boolean));
  const zeros = Array.from({ length: Math.max(0, 8 - head.length - tail.length) }, () => '0');
  const groups = [...head, ...zeros, ...tail].slice(0, 4);
  return `${groups.map((group) => Number.parseInt(group, 16).toString(16)).join(':')}::/64`;
}

/** Counts an attempt in its window and returns the current number. */
export const countAttempt = (db: Db, kind: string, subject: string, windowSeconds: number): Promise<number> =>
  countInWindow(db, keyOf(kind, subject), windowSeconds);

/** Takes an attempt back after a success: only failures count (design 8). */
export async function forgiveAttempt(db: Db, kind: string, subject: string): Promise<void> {
  await countOneLess(db, keyOf(kind, subject));
}

export async function forgetAttempts(db: Db, kind: string, subject: string): Promise<void> {
  await deleteCount(db, keyOf(kind, subject));
}
