import { runChaos } from '../../server/testing/chaos.ts';
import type { Case } from '../report.ts';

const scale = Number(process.env.BENCH_SCALE ?? 1);

/** Everything that can be killed is, while 200,000 messages come in. */
export const chaosCase: Case = {
  name: 'chaos',
  async run() {
    const seen = await runChaos({
      senders: 100,
      messages: Math.round(2000 * scale),
      pauseMs: 0,
      roles: ['web', 'worker', 'ingest'],
      victims: ['ingest', 'postgres', 'web', 'ingest', 'worker', 'postgres'],
      kills: 12,
    });
    const { received, stored, duplicate, rejected } = seen.figures;
    const refused = Object.values(rejected).reduce((sum, count) => sum + count, 0);
    return [
      {
        what: `messages acknowledged and stored exactly once, with ${seen.kills} processes killed`,
        value: Math.min(seen.uplinks, seen.distinct),
        unit: 'messages',
        reference: { what: 'acknowledged', value: seen.acknowledged },
        goal: '1.00 ×',
        isMet: seen.acknowledged === seen.sent && seen.uplinks === seen.sent && seen.distinct === seen.sent,
      },
      {
        what: 'received',
        value: received,
        unit: 'messages',
        reference: { what: 'stored + duplicate + rejected', value: stored + duplicate + refused },
        goal: '1.00 ×',
        isMet: received === stored + duplicate + refused && stored === seen.uplinks,
      },
    ];
  },
};
