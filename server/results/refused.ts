import { jobStatus } from '@telltale/domain/jobs/contract.ts';
import { AppError } from '../platform/errors.ts';

/** server-behaviour 1.1: a refused execution looks like a failed job. */
export const refused = (status: 400 | 403 | 429, error: string) =>
  new AppError(status, 'refused', error, { body: { job: { status: jobStatus.failed, error } } });
