import { rm } from 'node:fs/promises';
import type { TestProject } from 'vitest/node';
import { ensureBundle } from '../../../server/start/bundle.ts';
import { findBrowser } from './browser.ts';
import { firstAdmin, startConsole } from './console.ts';

/** Prepares the data folder that consoles of journeys begin with, the pages, the server and the browser for all of them. */
export default async function setup(project: TestProject): Promise<() => Promise<void>> {
  const settings = { TELLTALE_ADMIN_EMAIL: firstAdmin.email, TELLTALE_ADMIN_PASSWORD: firstAdmin.password };
  await ensureBundle();
  await findBrowser(); // unpacked once, before several processes ask for it
  const { folder, stop } = await startConsole('prepared', settings);
  await stop({ keepsFolder: true });
  project.provide('preparedData', folder);
  return () => rm(folder, { recursive: true, force: true });
}
