import { decodersApi } from '@telltale/domain/decoders/contract.ts';
import type { Http } from '../platform/http/http.ts';
import { getDecoder, getDecoderVersion, listDecoderVersions, saveDecoder } from './decoders.ts';
import type { DecoderPool } from './engine/pool.ts';
import { previewRerun } from './rerun-preview.ts';
import { cancelRerun, readRerun, startRerun } from './reruns.ts';
import { runRecent, testDecoder } from './trials.ts';

export function decoderRoutes(http: Http, pool: DecoderPool): void {
  http.on(decodersApi.get, (ctx, { params }) => getDecoder(ctx, params.id));
  http.on(decodersApi.save, (ctx, { params, body }) => saveDecoder(ctx, pool, params.id, body));
  http.on(decodersApi.versions, (ctx, { params }) => listDecoderVersions(ctx, params.id));
  http.on(decodersApi.version, (ctx, { params }) => getDecoderVersion(ctx, params.id, params.version));
  http.on(decodersApi.test, (ctx, { params, body }) => testDecoder(ctx, pool, params.id, body));
  http.on(decodersApi.recent, (ctx, { params, body }) => runRecent(ctx, pool, params.id, body.script));
  http.on(decodersApi.rerun, (ctx, { params, body }) =>
    body.preview ? previewRerun(ctx, pool, params.id, body) : startRerun(ctx, params.id, body.days),
  );
  http.on(decodersApi.rerunState, (ctx, { params }) => readRerun(ctx, params.id));
  http.on(decodersApi.cancelRerun, (ctx, { params }) => cancelRerun(ctx, params.id));
}
