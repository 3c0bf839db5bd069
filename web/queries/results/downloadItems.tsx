import type { MenuProps } from 'antd';

const files = [
  { ext: 'csv', title: 'Download as CSV File' },
  { ext: 'tsv', title: 'Download as TSV File' },
  { ext: 'xlsx', title: 'Download as Excel File' },
  { ext: 'json', title: 'Download as JSON File' },
];

/** Q7: by way of the query, whose name the file then has; with the key where there is no account. */
function fileAddress(resultId: number, queryId: number | null, ext: string, apiKey: string | null): string {
  const key = apiKey ? `?api_key=${encodeURIComponent(apiKey)}` : '';
  return queryId === null ? `/api/query_results/${resultId}.${ext}` : `/api/queries/${queryId}/results/${resultId}.${ext}${key}`;
}

/** Screens 5.10: what a menu offers for taking a result away; nothing to click without one. */
export function downloadItems(
  result: { id: number } | null,
  queryId: number | null,
  apiKey: string | null = null,
): NonNullable<MenuProps['items']> {
  return files.map(({ ext, title }) => ({
    key: ext,
    disabled: !result,
    label: result ? (
      <a href={fileAddress(result.id, queryId, ext, apiKey)} download>
        {title}
      </a>
    ) : (
      title
    ),
  }));
}
