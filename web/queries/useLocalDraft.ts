import { useEffect, useRef } from 'react';
import { dropDraft, writeDraft } from './drafts.ts';

const delayMs = 300;

/** Complaint 1: unsaved text is kept in this browser; a draft of an earlier visit waits for a decision. */
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
    /** Keeps a text for the next visit, although the editor shows another one. */
    keep: (typed: string) => {
      hasTyped.current = false;
      writeDraft(queryId, typed);
    },
    drop: () => dropDraft(queryId),
  };
}
