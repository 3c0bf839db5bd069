import { useEffect, useState } from 'react';
import { copyText } from './copyText.ts';

const feedbackMs = 2000;

/** Screens 1.4: "Copy" becomes "Copied!" or "Copy failed" for two seconds. */
export function useCopy(): { label: string; hasCopied: boolean; copy: (text: string) => Promise<void> } {
  const [outcome, setOutcome] = useState<{ isDone: boolean } | null>(null);

  useEffect(() => {
    if (!outcome) return;
    const timer = setTimeout(() => setOutcome(null), feedbackMs);
    return () => clearTimeout(timer);
  }, [outcome]);

  return {
    label: outcome === null ? 'Copy' : outcome.isDone ? 'Copied!' : 'Copy failed',
    hasCopied: outcome?.isDone ?? false,
    copy: async (text) => setOutcome({ isDone: await copyText(text) }),
  };
}
