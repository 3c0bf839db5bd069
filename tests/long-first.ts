import { BaseSequencer, type TestSpecification } from 'vitest/node';

/**
 * Short files whose tests take minutes. A clean clone knows no durations and begins with the largest file, so these would come last, when
 * the other processors have nothing left to do.
 */
const long = ['e2e/pages.test.ts', 'e2e/gallery.test.ts', 'e2e/layout-shift.test.ts', 'start/start.test.ts'];
const isLong = ({ moduleId }: TestSpecification) => long.some((name) => moduleId.endsWith(name));

export class LongFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const byProject = Map.groupBy(await super.sort(files), ({ project }) => project.name);
    return [...byProject.values()].flatMap((sorted) => [...sorted.filter(isLong), ...sorted.filter((file) => !isLong(file))]);
  }
}
