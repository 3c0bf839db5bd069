import { urlKey } from '@telltale/domain/parameters/url.ts';
import type { MenuProps } from 'antd';

const files = [
  { ext: 'csv', title: 'Download as CSV File' },
  { ext: 'tsv', title: 'Download as TSV File' },
  { ext: 'xlsx', title: 'Download as Excel File' },
  { ext: 'json', title: 'Download as JSON File' },
];

/** For readers without an account: the key, and the values of the run, because a key opens only answers to its own requests. */
export interface KeyAsked {
  api_key: string | null;
  asked: { parameters: Record<string, unknown>; time_zone?: string } | null;
}

/** Q7: the address goes through the query, so that the file has its name. */
function fileAddress(resultId: number, queryId: number | null, ext: string, byKey: KeyAsked | null): string {
  if (queryId === null) return `/api/query_results/${resultId}.${ext}`;
  return `/api/queries/${queryId}/results/${resultId}.${ext}${byKey?.api_key ? `?${keyArguments(byKey.api_key, byKey.asked)}` : ''}`;
}

function keyArguments(apiKey: string, asked: KeyAsked['asked']): URLSearchParams {
  const all = new URLSearchParams({ api_key: apiKey });
  for (const [name, value] of Object.entries(asked?.parameters ?? {})) {
    for (const item of Array.isArray(value) ? value : [value]) all.append(urlKey(name), textOf(item));
  }
  if (asked?.time_zone) all.set('time_zone', asked.time_zone);
  return all;
}

const textOf = (value: unknown): string =>
  typeof value === 'object' && value !== null && 'start' in value && 'end' in value ? `${value.start}--${value.end}` : String(value);

/** Screens 5.10: the downloads of a result as menu items; disabled without a result. */
export function downloadItems(
  result: { id: number } | null,
  queryId: number | null,
  byKey: KeyAsked | null = null,
): NonNullable<MenuProps['items']> {
  return files.map(({ ext, title }) => ({
    key: ext,
    disabled: !result,
    label: result ? (
      <a href={fileAddress(result.id, queryId, ext, byKey)} download>
        {title}
      </a>
    ) : (
      title
    ),
  }));
}
