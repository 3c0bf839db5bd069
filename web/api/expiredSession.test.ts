import { expect, test, vi } from 'vitest';
import { isSessionExpired, onSessionExpiry, resumeSession, untilSignedIn } from './expiredSession.ts';

test('screens 1.1: however many calls wait, there is one dialog, and all of them go on', async () => {
  const told = vi.fn(() => isSessionExpired());
  const stop = onSessionExpiry(told);
  const waiting = [untilSignedIn(), untilSignedIn(), untilSignedIn()];
  expect(told).toHaveBeenCalledOnce();
  expect(isSessionExpired()).toBe(true);

  resumeSession();
  await Promise.all(waiting);
  expect(told.mock.results.map(({ value }) => value)).toEqual([true, false]);
  stop();
});
