import { queriesApi } from '@telltale/domain/queries/contract.ts';
import { useParams } from 'react-router';
import { findApiKey } from '../api/call.ts';
import { useRead } from '../api/query.ts';
import { PictureSkeleton } from '../visualizations/PictureSkeleton.tsx';
import { EmbeddedPicture } from './EmbeddedPicture.tsx';
import styles from './EmbedPage.module.css';

/** Q8 */
const unsafe = 'Currently it is not possible to embed queries that contain text parameters.';

/** /embed/query/:queryId/visualization/:visualizationId: one visualization of a query, for readers with its key. */
export function EmbedPage() {
  const { queryId, visualizationId } = useParams();
  const id = Number(queryId);
  const query = useRead(queriesApi.get, { params: { id } }, { retry: false, enabled: id > 0, staleTime: Number.POSITIVE_INFINITY });
  if (!(id > 0) || query.error) return <Problem>Error: {problemOf(query.error)}</Problem>;
  if (!query.data) return <PictureSkeleton />;
  const visualization = query.data.visualizations.find((one) => one.id === Number(visualizationId));
  if (!visualization) return <Problem>Visualization does not exist</Problem>;
  if (!query.data.is_safe) return <Problem>{unsafe}</Problem>;
  return <EmbeddedPicture query={query.data} visualization={visualization} onRan={() => void query.refetch()} />;
}

/** Design 8: the same answer for an unknown key, a revoked one and the key of another query. */
function problemOf(error: { status: number; message: string } | null): string {
  if (!error || [401, 403, 404].includes(error.status)) {
    return findApiKey() ? 'This link has expired or is wrong.' : 'this address needs the API key of the query.';
  }
  return error.message;
}

function Problem({ children }: { children: React.ReactNode }) {
  return (
    <p className={styles.problem} role="alert">
      {children}
    </p>
  );
}
