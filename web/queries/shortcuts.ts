import { useEffect, useRef } from 'react';

const isApple = typeof navigator !== 'undefined' && /Mac|iPhone|iPad/.test(navigator.platform);
/** Screens 1.5: the platform's name of the key. */
export const modifierName = isApple ? 'Cmd' : 'Ctrl';

export type Shortcut = 'execute' | 'execute-statement' | 'save' | 'format' | 'toggle-side' | 'add-parameter' | 'fullscreen';

type Keys = Pick<KeyboardEvent, 'key' | 'code' | 'ctrlKey' | 'metaKey' | 'altKey' | 'shiftKey'>;

/**
 * Screens 1.5. Running the statement under the cursor is ours: Shift in addition to the usual keys. Ctrl+P stays the browser's
 * (complaint 64), a parameter is added with Alt+P.
 */
export function shortcutOf({ key, code, ctrlKey, metaKey, altKey, shiftKey }: Keys): Shortcut | null {
  const isMod = ctrlKey || metaKey;
  if (key === 'Enter') {
    if (isMod && shiftKey) return 'execute-statement';
    return isMod || altKey || shiftKey ? 'execute' : null;
  }
  if (isMod && !altKey && code === 'KeyS' && !shiftKey) return 'save';
  if (isMod && !altKey && code === 'KeyF' && shiftKey) return 'format';
  if (altKey && !isMod && code === 'KeyD') return 'toggle-side';
  if (altKey && !isMod && !shiftKey && code === 'KeyF') return 'fullscreen';
  return altKey && !isMod && code === 'KeyP' ? 'add-parameter' : null;
}

/** The shortcuts work wherever the focus is, and suppress the browser's own meaning of the keys. */
export function useShortcuts(actions: Partial<Record<Shortcut, () => void>>): void {
  const latest = useRef(actions);
  latest.current = actions;
  useEffect(() => {
    const onKeyDown = (event: KeyboardEvent) => {
      const shortcut = event.isComposing || isElsewhere(event) ? null : shortcutOf(event);
      const act = shortcut && latest.current[shortcut];
      if (!act) return;
      event.preventDefault();
      if (!event.repeat) act();
    };
    document.addEventListener('keydown', onKeyDown);
    return () => document.removeEventListener('keydown', onKeyDown);
  }, []);
}

/** In a dialog the keys belong to the dialog; Shift+Enter alone means a new line in every text area. */
function isElsewhere(event: KeyboardEvent): boolean {
  const at = event.target instanceof Element ? event.target : null;
  if (at?.closest('[role=dialog]')) return true;
  const isShiftOnly = event.key === 'Enter' && event.shiftKey && !event.ctrlKey && !event.metaKey && !event.altKey;
  return isShiftOnly && at !== null && at !== document.body && !at.closest('.cm-editor');
}
