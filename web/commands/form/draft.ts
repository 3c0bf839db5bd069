import { commandLimits } from '@telltale/domain/commands/check.ts';
import type { CommandInput, Operator } from '@telltale/domain/commands/command.ts';
import type { Command } from '@telltale/domain/commands/contract.ts';
import type { PayloadEncoding } from '@telltale/domain/commands/payload.ts';
import { faultText } from '../../ui/form/faults.ts';
import { conditionValue, valueText } from '../conditionValue.ts';
import { joinPayload, payloadBytes, splitPayload } from './payloadText.ts';

/** The contents of a command's forms. */
export interface CommandDraft {
  name: string;
  channel_id: string;
  device_ids: readonly string[];
  fport: number | null;
  mode: 'push' | 'replace';
  confirm: boolean;
  /** The typed text; without an encoding (null) its look decides. */
  payload: string;
  encoding: PayloadEncoding | null;
  ttl_seconds: number | null;
  retry_enabled: boolean;
  retry_count: number | null;
  op: Operator | null;
  column: string;
  value: string;
  /** Null means a wait by the device's own rhythm. */
  retry_wait_seconds: number | null;
  skip_if_true: boolean;
}

export type DraftFaults = Partial<Record<keyof CommandDraft, string>>;

const shortestName = 2;

export const newDraft: CommandDraft = {
  name: '',
  channel_id: '',
  device_ids: [],
  fport: 1,
  mode: 'push',
  confirm: false,
  payload: '',
  encoding: null,
  ttl_seconds: commandLimits.usualTtl,
  retry_enabled: false,
  retry_count: 3,
  op: '==',
  column: '',
  value: '',
  retry_wait_seconds: null,
  skip_if_true: false,
};

export function draftOf(command: Command): CommandDraft {
  const { name, channel_id, device_ids, fport, mode, confirm, ttl_seconds } = command;
  const { text: payload, encoding } = splitPayload(command.payload);
  const { retry_enabled, retry_count, retry_until, retry_wait_seconds, skip_if_true } = command;
  const until = retry_until?.options;
  return {
    ...{ name, channel_id, device_ids, fport, mode, confirm, encoding, payload, ttl_seconds },
    ...{ retry_enabled, retry_count, retry_wait_seconds, skip_if_true },
    op: until?.op ?? newDraft.op,
    column: until?.column ?? '',
    value: until ? valueText(until.value) : '',
  };
}

interface Surroundings {
  /** A5: 0 in the dialog that creates, 1 in the form that edits; a saved 0 may stay. */
  leastPort: number;
  /** The attributes of the chosen devices; null while they are not known. */
  attributes: readonly string[] | null;
  /** The channel belongs to a radio network. */
  isLorawan: boolean;
}

/** A5, word for word where it gives the words. */
export function faultsOf(draft: CommandDraft, { leastPort, attributes, isLorawan }: Surroundings): DraftFaults {
  const faults: DraftFaults = {};
  if (draft.name.trim().length < shortestName) faults.name = 'Min 2 characters expected';
  if (!draft.channel_id) faults.channel_id = faultText.required;
  if (draft.device_ids.length === 0) faults.device_ids = faultText.required;
  const port = rangeFault(draft.fport, leastPort, commandLimits.fport);
  if (port) faults.fport = port;
  const payload = payloadFault(draft, isLorawan);
  if (payload) faults.payload = payload;
  const ttl = rangeFault(draft.ttl_seconds, 1, commandLimits.ttl);
  if (ttl) faults.ttl_seconds = ttl;
  return draft.retry_enabled ? { ...faults, ...retryFaults(draft, attributes) } : faults;
}

function payloadFault({ payload, encoding }: CommandDraft, isLorawan: boolean): string | null {
  if (payload.trim() === '') return faultText.required;
  const read = payloadBytes({ text: payload, encoding }, isLorawan);
  return 'fault' in read ? read.fault : null;
}

function retryFaults(draft: CommandDraft, attributes: readonly string[] | null): DraftFaults {
  const faults: DraftFaults = {};
  const count = rangeFault(draft.retry_count, 0, commandLimits.retries);
  if (count) faults.retry_count = count;
  if (!draft.op) faults.op = faultText.required;
  if (draft.column.trim() === '') faults.column = 'attribute is required';
  else if (attributes && !attributes.includes(draft.column.trim())) faults.column = 'attribute is not matched with your device!';
  if (draft.value.trim() === '') faults.value = faultText.required;
  const wait = draft.retry_wait_seconds === null ? null : rangeFault(draft.retry_wait_seconds, 1, commandLimits.wait);
  if (wait) faults.retry_wait_seconds = wait;
  return faults;
}

function rangeFault(value: number | null, min: number, max: number): string | null {
  if (value === null) return faultText.required;
  if (!Number.isInteger(value)) return faultText.whole;
  return value < min || value > max ? `This field must be between ${min} and ${max}.` : null;
}

/** A7: the dialog sends the name as `command_name`; a condition is kept while retry is off. */
export function bodyOf(draft: CommandDraft, isLorawan: boolean): CommandInput {
  const { channel_id, fport, mode, confirm, payload, encoding, ttl_seconds, retry_enabled, retry_count } = draft;
  const { retry_wait_seconds, skip_if_true } = draft;
  const column = draft.column.trim();
  const hasCondition = column !== '' && draft.op !== null && draft.value.trim() !== '';
  return {
    ...{ name: draft.name.trim(), command_name: draft.name.trim(), channel_id, device_ids: [...draft.device_ids] },
    ...{ fport, mode, confirm, ttl_seconds, retry_enabled, retry_wait_seconds, skip_if_true },
    payload: joinPayload({ text: payload, encoding }, isLorawan),
    retry_count: retry_count ?? 0,
    retry_until: hasCondition ? { options: { op: draft.op, column, value: conditionValue(draft.value) } } : null,
  };
}

export const isSameDraft = (a: CommandDraft, b: CommandDraft): boolean =>
  JSON.stringify(bodyOf(a, false)) === JSON.stringify(bodyOf(b, false));
