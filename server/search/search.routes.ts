import { searchApi } from '@telltale/domain/search/contract.ts';
import type { Http } from '../platform/http/http.ts';
import { search } from './search.ts';

export function searchRoutes(http: Http): void {
  http.on(searchApi.find, (ctx, { query }) => search(ctx, query));
}
