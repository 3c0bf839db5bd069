import { z } from 'zod';

const Nothing = z.object({});

/** What a client may ask: to be told when devices in its reach have reported. */
export const readingClientEvents = { follow_readings: Nothing, unfollow_readings: Nothing };

/** Told at most once a second; `at` is when the newest of them was stored. */
export const readingServerEvents = { readings: z.object({ at: z.iso.datetime() }) };
