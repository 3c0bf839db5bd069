import { z } from 'zod';
import { Empty, endpoint, Time } from '../endpoint.ts';

/** Q4: 1 waiting, 2 processing, 3 done, 4 failed (also cancelled). Clients know no others. */
export const jobStatus = { waiting: 1, processing: 2, done: 3, failed: 4 } as const;

/** server-behaviour 8.5: result and query_result_id carry the same payload; updated_at is 0 until the job starts. */
export const Job = z.object({
  id: z.uuid(),
  updated_at: z.union([Time, z.literal(0)]),
  status: z.union([z.literal(1), z.literal(2), z.literal(3), z.literal(4)]),
  error: z.union([z.string(), z.object({ code: z.number().optional(), message: z.string(), details: z.string().optional() })]),
  result: z.unknown(),
  query_result_id: z.unknown(),
  /** Ours: where in the query the fault is, both from 1. */
  error_line: z.int().optional(),
  error_column: z.int().optional(),
});
export type Job = z.infer<typeof Job>;

const JobId = z.object({ id: z.uuid() });

export const jobsApi = {
  get: endpoint('GET', '/api/jobs/:id', {
    needs: 'signed_in',
    params: JobId,
    reply: z.object({ job: Job }),
    summary: 'State of a job, for those who asked for it.',
  }),
  cancel: endpoint('DELETE', '/api/jobs/:id', { needs: 'signed_in', params: JobId, reply: Empty, summary: 'Cancels a job.' }),
  retry: endpoint('POST', '/api/jobs/:id/retry', {
    needs: 'super_admin',
    params: JobId,
    reply: z.object({ job: Job }),
    summary: 'Queues a failed job again.',
  }),
};
