import { queriesApi } from '@telltale/domain/queries/contract.ts';
import { resultsApi } from '@telltale/domain/results/contract.ts';
import { readJob } from '../jobs/jobs.ts';
import { notFound } from '../platform/errors.ts';
import type { Http } from '../platform/http/http.ts';
import { getQuery } from '../queries/queries.ts';
import { readDropdown, readDropdownOf } from './dropdowns.ts';
import { refreshQuery, runAdHoc, runSaved } from './execution.ts';
import { getResult, getResultOfQuery } from './result-access.ts';
import { readFileName, runReply, sendResult } from './results.ts';

export function resultRoutes(http: Http): void {
  http.on(resultsApi.execute, async (ctx, { body, query }) => runReply(ctx, await runAdHoc(ctx, body, query ?? {})));
  http.on(resultsApi.executeSaved, async (ctx, { params, body, query }) =>
    runReply(ctx, await runSaved(ctx, params.id, body, query ?? {})),
  );
  http.on(queriesApi.refresh, async (ctx, { params, query }) => runReply(ctx, await refreshQuery(ctx, params.id, query ?? {})));
  http.on(queriesApi.dropdown, (ctx, { params }) => readDropdown(ctx, params.id));
  http.on(queriesApi.dropdownOf, (ctx, { params }) => readDropdownOf(ctx, params.id, params.dropdownId));

  http.on(resultsApi.get, async (ctx, { params, query }) => {
    const { id, type } = readFileName(params.file);
    return sendResult(ctx, await getResult(ctx, id), type, { raw: query.raw, isFixed: true });
  });
  http.on(resultsApi.latest, async (ctx, { params }) => {
    const { row, query } = await getResultOfQuery(ctx, params.id, undefined);
    return sendResult(ctx, row, undefined, { query, raw: undefined, isFixed: false });
  });
  http.on(resultsApi.latestFile, async (ctx, { params, query }) => {
    const { type } = readFileName(`1.${params.ext}`);
    const found = await getResultOfQuery(ctx, params.id, undefined);
    return sendResult(ctx, found.row, type, { query: found.query, raw: query.raw, isFixed: false });
  });
  http.on(resultsApi.ofQuery, async (ctx, { params, query }) => {
    const { id, type } = readFileName(params.file);
    const found = await getResultOfQuery(ctx, params.id, id, query);
    return sendResult(ctx, found.row, type, { query: found.query, raw: query.raw, isFixed: true });
  });
  http.on(resultsApi.queryJob, async (ctx, { params }) => {
    await getQuery(ctx, params.id);
    const job = await readJob(ctx, params.jobId);
    if (!job) throw notFound('Job');
    return { job };
  });
}
