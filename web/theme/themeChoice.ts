import { useSyncExternalStore } from 'react';
import type { ThemeName } from './tokens.ts';

/** Design 8: the theme follows the system unless the user chose one; public/theme.js applies it before the first paint. */
export const themeChoices = ['system', 'light', 'dark'] as const;
export type ThemeChoice = (typeof themeChoices)[number];

const storageKey = 'telltale:theme';
const systemDark = matchMedia('(prefers-color-scheme: dark)');
const systemStill = matchMedia('(prefers-reduced-motion: reduce)');
const listeners = new Set<() => void>();
let choice = readChoice();

export function chooseTheme(next: ThemeChoice): void {
  choice = next;
  try {
    if (next === 'system') localStorage.removeItem(storageKey);
    else localStorage.setItem(storageKey, next);
  } catch {
    // The choice is not remembered, but applies to this visit.
  }
  apply();
}

export const useThemeChoice = (): ThemeChoice => useSyncExternalStore(onChange, () => choice);
export const useThemeName = (): ThemeName => useSyncExternalStore(onChange, themeName);
export const useIsStill = (): boolean => useSyncExternalStore(onChange, () => systemStill.matches);

const themeName = (): ThemeName => (choice === 'system' ? (systemDark.matches ? 'dark' : 'light') : choice);

function readChoice(): ThemeChoice {
  try {
    const stored = localStorage.getItem(storageKey);
    return stored === 'light' || stored === 'dark' ? stored : 'system';
  } catch {
    return 'system';
  }
}

function apply(): void {
  document.documentElement.dataset.theme = themeName();
  for (const listener of listeners) listener();
}

function onChange(listener: () => void): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}

systemDark.addEventListener('change', apply);
systemStill.addEventListener('change', apply);
addEventListener('storage', (event) => {
  if (event.key !== storageKey && event.key !== null) return;
  choice = readChoice();
  apply();
});
