import type { TestProject } from 'vitest/node';
import { startConsole } from './console.ts';

declare module 'vitest' {
  interface ProvidedContext {
    console: { url: string; pid: number; admin: { name: string; email: string; password: string } };
  }
}

/** One console for all journeys but the first-run set-up, which needs one that nobody has set up. */
export default async function setup(project: TestProject): Promise<() => Promise<void>> {
  const admin = { name: 'admin', email: 'admin@telltale.example', password: 'the first administrator' };
  const { url, pid, stop } = await startConsole('main', { TELLTALE_ADMIN_EMAIL: admin.email, TELLTALE_ADMIN_PASSWORD: admin.password });
  project.provide('console', { url, pid, admin });
  return stop;
}
