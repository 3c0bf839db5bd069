import { useRef, useState } from 'react';
import { useLocation, useNavigate } from 'react-router';
import { type ListDefaults, type ListState, readListState, writeListState } from './listState.ts';
import { useSession } from './session.ts';

export interface ListStateOptions {
  /** `-created_at` is newest first. */
  order: string;
  pageSize?: number;
  /** The list's name under which its page size is remembered. */
  remember?: string;
  /** False for a second list on a page: its state stays in memory. */
  urlState?: boolean;
}

/** Screens 4: the state of a list lives in the address, changed by replace, so that it can be shared and reloaded. */
export function useListState({ order, pageSize, remember, urlState = true }: ListStateOptions) {
  const { client_config } = useSession();
  const { search, hash } = useLocation();
  const navigate = useNavigate();
  const [ownSearch, setOwnSearch] = useState('');

  const usual: ListDefaults = { order, page_size: pageSize ?? (client_config.pageSize || 20) };
  const defaults: ListDefaults = { ...usual, page_size: rememberedPageSize(remember) ?? usual.page_size };
  const current = urlState ? search : ownSearch;
  const state = readListState(new URLSearchParams(current), defaults);

  // Two changes in one event must add up, so the second starts from the result of the first.
  const latest = useRef({ seen: current, search: current });
  if (latest.current.seen !== current) latest.current = { seen: current, search: current };

  const change = (changes: Partial<ListState>) => {
    const params = new URLSearchParams(latest.current.search);
    if (changes.page_size !== undefined) rememberPageSize(remember, changes.page_size);
    const kept = { order, page_size: rememberedPageSize(remember) ?? usual.page_size };
    const text = writeListState(params, { ...readListState(params, defaults), ...changes }, kept).toString();
    const next = text && `?${text}`;
    latest.current.search = next;
    if (urlState) navigate({ search: next, hash }, { replace: true, preventScrollReset: true });
    else setOwnSearch(next);
  };
  return { state, change };
}

const storageKey = (remember: string) => `telltale:pageSize:${remember}`;

function rememberedPageSize(remember: string | undefined): number | null {
  if (!remember) return null;
  try {
    return Number.parseInt(localStorage.getItem(storageKey(remember)) ?? '', 10) || null;
  } catch {
    return null;
  }
}

function rememberPageSize(remember: string | undefined, pageSize: number): void {
  if (!remember) return;
  try {
    localStorage.setItem(storageKey(remember), String(pageSize));
  } catch {
    // A browser without storage still shows the list.
  }
}
