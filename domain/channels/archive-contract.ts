import { z } from 'zod';
import { endpoint, Time } from '../endpoint.ts';

/** Messages of a day, or of a month where they came very late, that left the database. */
export const ArchivedMessages = z.object({
  name: z.string(),
  bytes: z.int(),
  stored_at: Time,
});
export type ArchivedMessages = z.infer<typeof ArchivedMessages>;

const id = z.string().min(1).max(64);
/** The day that a part begins with, and an m for a whole month. */
const name = z.string().regex(/^\d{8}m?$/);
export const ByArchive = z.object({ id, name });
export type ByArchive = z.output<typeof ByArchive>;

export const archiveApi = {
  list: endpoint('GET', '/api/channels/:id/archive', {
    needs: 'view_channel',
    params: z.object({ id }),
    reply: z.array(ArchivedMessages),
    summary: 'Raw messages of a channel that are kept in the object store after they left the database, newest first.',
  }),
  download: endpoint('GET', '/api/channels/:id/archive/:name', {
    needs: 'view_channel',
    params: ByArchive,
    reply: z.unknown(),
    files: ['application/gzip'],
    summary: 'Archived raw messages of a channel, one JSON object a line, gzipped.',
  }),
};
