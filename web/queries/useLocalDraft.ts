import { useEffect, useRef } from 'react';
import { dropDraft, writeDraft } from './drafts.ts';

const delayMs = 300;

/** Screens 17.1: what is not saved is kept in this browser while it is typed; a draft of an earlier visit waits for a decision. */
export function useLocalDraft(queryId: number | null, text: string, isDirty: boolean, canEdit: boolean) {
  const hasTyped = useRef(false);
  useEffect(() => {
    if (!canEdit) return;
    const timer = setTimeout(() => {
      if (isDirty) writeDraft(queryId, text);
      else if (hasTyped.current) dropDraft(queryId);
      hasTyped.current ||= isDirty;
    }, delayMs);
    return () => clearTimeout(timer);
  }, [queryId, text, isDirty, canEdit]);
  return {
    /** Kept for the next visit, although the text on the screen is another one. */
    keep: (typed: string) => {
      hasTyped.current = false;
      writeDraft(queryId, typed);
    },
    drop: () => dropDraft(queryId),
  };
}
