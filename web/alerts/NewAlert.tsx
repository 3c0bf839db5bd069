import { useEffect, useMemo } from 'react';
import { useNavigate, useSearchParams } from 'react-router';
import { recordEvent } from '../api/events.ts';
import { HelpLink } from '../help/HelpLink.tsx';
import { leaveUnasked } from '../ui/leaveGuard.ts';
import { notify } from '../ui/notify.tsx';
import { AlertEditor } from './AlertEditor.tsx';
import styles from './AlertPage.module.css';
import { draftFrom, newDraft } from './draft.ts';
import { useCreateAlert, useQuerySetting } from './useAlerts.ts';

/** /alerts/new; a saved alert replaces its form. */
export function NewAlert() {
  const create = useCreateAlert();
  const navigate = useNavigate();
  const [search] = useSearchParams();
  const chosen = useChosenQuery(search.get('query_id'));
  const start = useMemo(() => (chosen.query ? { ...newDraft, query: chosen.query } : draftFrom(search)), [search, chosen.query]);
  useEffect(() => recordEvent('view', 'page', 'alerts/new'), []);
  if (chosen.isAwaited) return null;
  return (
    <AlertEditor
      start={start}
      alertId={null}
      saveText="Create Alert"
      onSave={async (body) => {
        const { id } = await create.mutateAsync({ body });
        leaveUnasked();
        navigate(`/alerts/${id}`, { replace: true });
      }}
      intro={
        <div className={styles.intro}>
          <p>Start by selecting the query that you would like to monitor using the search bar.</p>
          <p>
            Keep in mind that Alerts do not work with queries that use parameters. <HelpLink topic="alerts">Setup Instructions</HelpLink>
          </p>
        </div>
      }
    />
  );
}

/** `?query_id=` in the address selects that query, if it may be watched. */
function useChosenQuery(text: string | null): { query: { id: number; name: string } | undefined; isAwaited: boolean } {
  const id = text !== null && /^[1-9]\d{0,8}$/.test(text) ? Number(text) : undefined;
  const { data, error } = useQuerySetting(id, { refetchInterval: false });
  const hasFailed = error !== null || (text !== null && id === undefined);
  useEffect(() => {
    if (hasFailed) notify.error('Something went wrong...', { description: "Couldn't select query" });
  }, [hasFailed]);
  const name = data?.name;
  const query = useMemo(() => (id !== undefined && name !== undefined ? { id, name } : undefined), [id, name]);
  return { query, isAwaited: id !== undefined && !query && !hasFailed };
}
