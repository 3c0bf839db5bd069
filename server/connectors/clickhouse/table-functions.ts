import { isBlankToken, type Token } from '@telltale/domain/sql/tokenize.ts';

/** Functions that read only the statement itself or the server's own tables. */
const inside = new Set(
  `numbers numbers_mt zeros zeros_mt generateSeries generate_series generateRandom values view viewIfPermitted viewExplain merge null format
  dictionary loop mergeTreeIndex mergeTreeProjection`
    .toLowerCase()
    .split(/\s+/),
);
/** Functions that open files, programs or connections, anywhere in a statement. */
const outside =
  /^(?:url|urlcluster|file|filecluster|remote|remotesecure|cluster|clusterallreplicas|s3|s3cluster|gcs|oss|cosn|hdfs|hdfscluster|azureblobstorage|azureblobstoragecluster|mysql|postgresql|mongodb|redis|sqlite|odbc|jdbc|executable|input|deltalake\w*|hudi\w*|iceberg\w*|paimon\w*|ytsaurus|prometheusquery\w*|arrowflight)$/;
const before = new Set(['FROM', 'JOIN', 'TABLE', 'FUNCTION']);

/**
 * Returns the first table function that leaves the server, if any. An account with `readonly = 2` cannot set `readonly = 1`, which would
 * block them all, so they are refused here (security 6).
 */
export function findOutwardFunction(tokens: readonly Token[]): Token | undefined {
  const words = tokens.filter((token) => !isBlankToken(token));
  return words.find((token, place) => {
    if (words[place + 1]?.text !== '(') return false;
    const name = token.text.replaceAll(/[`"]/g, '').toLowerCase();
    if (outside.test(name)) return true;
    const isTable = before.has(words[place - 1]?.text.toUpperCase() ?? '');
    return isTable && /^\w+$/.test(name) && !inside.has(name) && name !== 'select' && name !== 'with';
  });
}
