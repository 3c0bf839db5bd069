import type { TestProject } from 'vitest/node';
import { startConsole } from './console.ts';
import { atOnce } from './shared-console.ts';

/** Consoles for all journeys but the first-run set-up, which needs one that nobody has set up. */
export default async function setup(project: TestProject): Promise<() => Promise<void>> {
  const admin = { name: 'admin', email: 'admin@telltale.example', password: 'the first administrator' };
  const settings = { TELLTALE_ADMIN_EMAIL: admin.email, TELLTALE_ADMIN_PASSWORD: admin.password };
  const stops: (() => Promise<void>)[] = [];
  const stop = async () => void (await Promise.all(stops.map((end) => end())));
  try {
    const consoles = [];
    // One after the other: the first one builds the pages for all.
    for (let n = 1; n <= atOnce; n++) {
      const { url, pid, stop: end } = await startConsole(`main-${n}`, settings);
      stops.push(end);
      consoles.push({ url, pid, admin });
    }
    project.provide('consoles', consoles);
    return stop;
  } catch (error) {
    await stop();
    throw error;
  }
}
