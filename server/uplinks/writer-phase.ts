import { timeStep } from '@telltale/domain/uplinks/times.ts';
import type { Services } from '../platform/context.ts';
import { holdLease, releaseLeases } from '../platform/jobs/lease.ts';

const forEverSeconds = 100 * 365 * 86_400;

/**
 * Two processes that receive one device in the same millisecond would give its readings the same time, and one would replace the other.
 * Each process therefore assigns times of a residue of its own, leased as long as it lives.
 */
export async function claimWriterPhase({ db, log }: Pick<Services, 'db' | 'log'>, processId: string): Promise<number> {
  for (let phase = 0; phase < timeStep; phase++) if (await holdLease(db, `writer-phase:${phase}`, processId, forEverSeconds)) return phase;
  log.warn(`More than ${timeStep} processes write readings; two of them share their microseconds.`);
  return Math.floor(Math.random() * timeStep);
}

/** Releases the phase of a process that stops, so that the next one may take it at once. */
export const releaseWriterPhase = ({ db }: Pick<Services, 'db'>, processId: string) => releaseLeases(db, processId, 'writer-phase:');
