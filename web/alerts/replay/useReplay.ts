import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { alertsApi, type Replay } from '@telltale/domain/alerts/contract.ts';
import { useEffect, useState } from 'react';
import { type ApiError, call } from '../../api/call.ts';
import { type AlertDraft, missingIn, optionsOf } from '../draft.ts';

export const replayDays = 30;
const pauseMs = 500;

/** What the alert would have done in the last 30 days; loaded again shortly after the last change, and when `moment` changes. */
export function useReplay(draft: AlertDraft, moment: string) {
  const { muted: _, custom_subject: __, custom_body: ___, ...options } = optionsOf(draft);
  const request = JSON.stringify({
    query_id: draft.kind === 'query' ? (draft.query?.id ?? null) : null,
    options,
    rearm: draft.rearm,
    days: replayDays,
  });
  const isComplete = missingIn(draft) === null;
  const [asked, setAsked] = useState(isComplete ? request : '');
  useEffect(() => {
    const timer = setTimeout(() => setAsked(isComplete ? request : ''), pauseMs);
    return () => clearTimeout(timer);
  }, [request, isComplete]);
  return useQuery<Replay, ApiError>({
    queryKey: ['alert-replay', asked, moment],
    queryFn: ({ signal }) => call(alertsApi.replay, { body: JSON.parse(asked) }, { signal }),
    enabled: asked !== '',
    placeholderData: keepPreviousData,
    retry: false,
    staleTime: 60_000,
  });
}
