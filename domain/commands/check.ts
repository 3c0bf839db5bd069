import { type CommandInput, operators, type RetryUntil } from './command.ts';

/** A command as it is saved, before its channel and devices are looked up. */
export interface CommandDraft {
  name: string;
  channel_id: string;
  device_ids: string[];
  fport: number;
  mode: 'push' | 'replace';
  confirm: boolean;
  payload: string;
  retry_enabled: boolean;
  retry_count: number;
  retry_until: RetryUntil | null;
  retry_wait_seconds: number | null;
  /** 3.5.9: the command is not sent to a device that reports the effect already. */
  skip_if_true: boolean;
  ttl_seconds: number;
}

export const commandLimits = { name: 255, fport: 223, retries: 10, ttl: 31_536_000, usualTtl: 86_400, wait: 86_400 } as const;

const isWhole = (value: number, least: number, most: number) => Number.isInteger(value) && value >= least && value <= most;

/**
 * A5: the checked command, or its fault in the words of the specification. `saved` is the command being changed: fields that are not sent
 * stay as they are.
 */
export function checkCommand(input: CommandInput, saved?: CommandDraft): { draft: CommandDraft } | { fault: string } {
  const name = (nameOf(input, saved?.name) ?? '').trim();
  if (name.length < 2) return { fault: 'Min 2 characters expected' };
  if (name.length > commandLimits.name) return { fault: `Name is too long (at most ${commandLimits.name} characters).` };
  const channel_id = given(input.channel_id, saved?.channel_id) ?? '';
  if (channel_id === '') return { fault: 'Channel is required.' };
  const device_ids = [...new Set(given(input.device_ids, saved?.device_ids) ?? [])];
  if (device_ids.length === 0) return { fault: 'Choose at least one device.' };
  const fport = input.fport === undefined ? (saved?.fport ?? 1) : input.fport;
  if (fport === null || (typeof fport === 'string' && fport.trim() === '')) return { fault: 'fport is required.' };
  if (!isWhole(Number(fport), 0, commandLimits.fport))
    return { fault: `fport must be between ${saved ? 1 : 0} and ${commandLimits.fport}` };
  const mode = given(input.mode, saved?.mode) ?? '';
  if (mode === '') return { fault: 'Mode is required.' };
  if (mode !== 'push' && mode !== 'replace') return { fault: 'Mode must be push or replace.' };
  const payload = given(input.payload, saved?.payload) ?? '';
  if (payload.trim() === '') return { fault: 'Payload is required.' };
  const retry_count = input.retry_count ?? saved?.retry_count ?? 0;
  if (!isWhole(retry_count, 0, commandLimits.retries)) return { fault: `Retry count must be between 0 and ${commandLimits.retries}.` };
  const ttl_seconds = input.ttl_seconds ?? saved?.ttl_seconds ?? commandLimits.usualTtl;
  if (!isWhole(ttl_seconds, 1, commandLimits.ttl)) return { fault: `ttl_seconds must be between 1 and ${commandLimits.ttl}.` };
  const retry_wait_seconds = given(input.retry_wait_seconds, saved?.retry_wait_seconds) ?? null;
  if (retry_wait_seconds !== null && !isWhole(retry_wait_seconds, 1, commandLimits.wait))
    return { fault: `retry_wait_seconds must be between 1 and ${commandLimits.wait}.` };
  const retry_enabled = input.retry_enabled ?? saved?.retry_enabled ?? false;
  const until = checkUntil(given(input.retry_until, saved?.retry_until)?.options ?? undefined);
  if ('fault' in until && retry_enabled) return until;
  const retry_until = 'fault' in until ? null : until.retry_until;
  const skip_if_true = input.skip_if_true ?? saved?.skip_if_true ?? false;
  const confirm = input.confirm ?? saved?.confirm ?? false;
  const draft = { name, channel_id, device_ids, fport: Number(fport), mode, confirm, payload, retry_enabled, retry_count } as const;
  return { draft: { ...draft, retry_until, retry_wait_seconds, skip_if_true, ttl_seconds } };
}

/** design 8.1: a command has its name twice. A client that posts the whole command back may have changed either. */
function nameOf({ name, command_name }: CommandInput, saved: string | undefined): string | undefined {
  const said = [name, command_name].filter((each) => each !== undefined);
  return said.find((each) => each.trim() !== saved) ?? said[0] ?? saved;
}

/** Null clears a field, where that is possible; a field that is not sent stays. */
const given = <T>(sent: T | null | undefined, saved: T | null | undefined): T | null | undefined => (sent === undefined ? saved : sent);

type Until = NonNullable<NonNullable<CommandInput['retry_until']>['options']>;

function checkUntil(options: Until | undefined): { retry_until: RetryUntil } | { fault: string } {
  const op = operators.find((each) => each === options?.op);
  if (!options?.op) return { fault: 'condition is required' };
  if (!op) return { fault: `condition must be one of ${operators.join(', ')}` };
  const column = (options.column ?? '').trim();
  if (column === '') return { fault: 'attribute is required' };
  const { value } = options;
  if (value === null || value === undefined || value === '') return { fault: 'value is required' };
  return { retry_until: { options: { op, column, value } } };
}
