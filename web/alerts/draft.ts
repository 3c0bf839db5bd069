import type { Alert, NewAlert } from '@telltale/domain/alerts/contract.ts';
import { defaultName } from '@telltale/domain/alerts/naming.ts';
import type { AlertKind, AlertOptions, Operator, Selector, Threshold } from '@telltale/domain/alerts/options.ts';
import { intervalText } from '@telltale/domain/schedules/intervals.ts';
import type { z } from 'zod';
import { typedThreshold } from './thresholds.ts';

/** An alert in the form: the fields of every kind, so that changing the kind and back loses nothing. */
export interface AlertDraft {
  /** A blank name saves the generated one (screens 11). */
  name: string;
  kind: AlertKind;
  query: { id: number; name: string } | null;
  column: string;
  op: Operator;
  value: Threshold;
  selector: Selector;
  channel_id: string;
  /** Empty: every device of the channel. */
  device_ids: readonly string[];
  attribute: string;
  for_seconds: number;
  silent_seconds: number;
  rearm: number;
  muted: boolean;
  /** Uses a custom template; otherwise the default one is sent. */
  hasTemplate: boolean;
  custom_subject: string;
  custom_body: string;
}

/** A3: op '>', value 1, not muted, rearm 0. */
export const newDraft: AlertDraft = {
  name: '',
  kind: 'query',
  query: null,
  column: '',
  op: '>',
  value: 1,
  selector: 'first',
  channel_id: '',
  device_ids: [],
  attribute: '',
  for_seconds: 0,
  silent_seconds: 600,
  rearm: 0,
  muted: false,
  hasTemplate: false,
  custom_subject: '',
  custom_body: '',
};

export function draftOf({ name, query, options, rearm }: Alert): AlertDraft {
  const { custom_subject, custom_body, template, ...own } = options;
  const body = custom_body ?? template ?? '';
  return {
    ...newDraft,
    ...own,
    name,
    query: query && { id: query.id, name: query.name },
    rearm: rearm ?? 0,
    hasTemplate: Boolean(custom_subject || body),
    custom_subject: custom_subject ?? '',
    custom_body: body,
  };
}

/** The draft of a new alert on devices, from the address: `?kind=device&channel_id=&device_id=`. */
export function draftFrom(search: URLSearchParams): AlertDraft {
  const channel_id = search.get('channel_id') ?? '';
  if (!channel_id) return newDraft;
  const kind = search.get('kind') === 'silence' ? 'silence' : 'device';
  return { ...newDraft, kind, channel_id, device_ids: search.getAll('device_id'), attribute: search.get('attribute') ?? '' };
}

/** The reason why it cannot be saved yet, in a sentence; null when it can. */
export function missingIn({ kind, query, column, channel_id, attribute }: AlertDraft): string | null {
  if (kind === 'query') {
    if (!query) return 'Select a query first.';
    return column ? null : 'Choose the column to watch.';
  }
  if (!channel_id) return 'Choose a channel first.';
  return kind === 'device' && !attribute.trim() ? 'Choose the attribute to watch.' : null;
}

export function optionsOf(draft: AlertDraft): AlertOptions {
  const { muted, op, channel_id, hasTemplate } = draft;
  const text = (template: string) => (hasTemplate && template ? template : null);
  const common = { muted, custom_subject: text(draft.custom_subject), custom_body: text(draft.custom_body) };
  const devices = { channel_id, device_ids: [...draft.device_ids] };
  const value = typedThreshold(draft.value);
  if (draft.kind === 'silence') return { kind: 'silence', ...devices, silent_seconds: draft.silent_seconds, ...common };
  if (draft.kind === 'query') return { kind: 'query', column: draft.column, op, value, selector: draft.selector, ...common };
  return { kind: 'device', ...devices, attribute: draft.attribute.trim(), op, value, for_seconds: draft.for_seconds, ...common };
}

/** The contract takes any options; a draft always has whole ones. */
export type AlertBody = z.input<typeof NewAlert> & { options: AlertOptions };

export function bodyOf(draft: AlertDraft, subject: string): AlertBody {
  const { kind, query, rearm } = draft;
  return {
    name: draft.name.trim() || generatedName(draft, subject),
    options: optionsOf(draft),
    query_id: kind === 'query' ? (query?.id ?? null) : null,
    rearm: rearm === 0 ? null : rearm,
  };
}

/** A3: the query's name followed by column, operator and value. `subject` names the channel of an alert on devices. */
export function generatedName(draft: AlertDraft, subject: string): string {
  const { kind, query, op, value } = draft;
  const cut = (name: string) => name.slice(0, 255);
  if (kind === 'query') return defaultName(query, draft);
  if (!draft.channel_id) return 'New Alert';
  if (kind === 'silence') return cut(`${subject}: silent for ${intervalText(draft.silent_seconds)}`);
  return cut(`${subject}: ${draft.attribute || 'attribute'} ${op} ${value}`);
}

export const isSameDraft = (a: AlertDraft, b: AlertDraft): boolean => JSON.stringify(a) === JSON.stringify(b);
