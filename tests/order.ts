import { BaseSequencer, type TestSpecification } from 'vitest/node';

/**
 * Short files whose tests take minutes. A clean clone knows no durations and begins with the largest file, so these would come last, when
 * the other processors have nothing left to do.
 */
const long = ['tests/e2e/pages.test.ts', 'tests/e2e/gallery.test.ts', 'tests/e2e/layout-shift.test.ts', 'server/start/start.test.ts'];

/**
 * Tests that run after all others: they kill consoles and workers, whose work counts as lost after seconds, so a busy machine would change
 * the outcome. Two run at a time, in this order: the first keeps the processors busy for as long as the next two take, which mostly wait for
 * such seconds.
 */
export const kills = [
  'server/testing/two-of-everything.test.ts',
  'server/results/lost-runs.test.ts',
  'server/results/lost-statement.test.ts',
  'server/results/object-storage-kill.test.ts',
  'server/network-servers/holder-kills.test.ts',
  'server/start/role-process.test.ts',
  'server/alerts/kills.test.ts',
  'server/uplinks/chaos.test.ts',
];

/** This test runs beside those, in a process of its own: it collects garbage five times a second to measure memory. */
export const memory = ['server/results/large-results.test.ts'];

const first = [...long, ...kills, ...memory];
const rank = ({ moduleId }: TestSpecification) => {
  const place = first.findIndex((path) => moduleId.endsWith(path));
  return place < 0 ? first.length : place;
};

/** The files of each project: first those named above, then the others from the largest to the smallest. */
export class InOrder extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const byProject = Map.groupBy(await super.sort(files), ({ project }) => project.name);
    return [...byProject.values()].flatMap((sorted) => sorted.toSorted((a, b) => rank(a) - rank(b)));
  }
}
