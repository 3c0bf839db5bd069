import { useParams } from 'react-router';
import { LoadedQuery } from './LoadedQuery.tsx';
import { QueryView } from './QueryView.tsx';

/** /queries/:queryId */
export function QueryViewPage() {
  const { queryId } = useParams();
  return (
    <LoadedQuery key={queryId} id={Number(queryId)}>
      {(query, sources) => <QueryView initial={query} sources={sources} />}
    </LoadedQuery>
  );
}
