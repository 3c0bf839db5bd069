import { type AttributeDisplay, noDisplay } from '@telltale/domain/channels/attribute-display.ts';
import type { AttributeChanges, ChannelAttribute } from '@telltale/domain/channels/attributes-contract.ts';
import { attributeName } from '@telltale/domain/uplinks/names.ts';
import type { PointKind } from '@telltale/domain/uplinks/record.ts';
import { recordEvent } from '../events/events.ts';
import type { UserCtx } from '../platform/context.ts';
import { invalid, notFound } from '../platform/errors.ts';
import { type AttributeRow, insertAttribute, listAttributeRows, lockAttribute, setDisplay } from './attributes.store.ts';
import { getChannelRow } from './channels.ts';

const answer = ({ id: _, display, ...row }: AttributeRow): ChannelAttribute => ({ ...row, display: { ...noDisplay, ...display } });

export async function listAttributes(ctx: UserCtx, channelId: string): Promise<ChannelAttribute[]> {
  const { pk } = await getChannelRow(ctx, channelId);
  return (await listAttributeRows(ctx.db, pk)).map(answer);
}

/** Two people who change different keys of one attribute both find theirs kept. */
export async function saveAttribute(
  ctx: UserCtx,
  channelId: string,
  { attribute, ...changes }: AttributeChanges,
): Promise<ChannelAttribute> {
  const { pk } = await getChannelRow(ctx, channelId);
  return ctx.transaction(async (tx) => {
    const row = await lockAttribute(tx.db, pk, attribute);
    if (!row) throw notFound('Attribute');
    const display: AttributeDisplay = {
      unit: changes.unit === undefined ? (row.display?.unit ?? null) : changes.unit,
      decimals: changes.decimals === undefined ? (row.display?.decimals ?? null) : changes.decimals,
      thresholds: changes.thresholds ?? row.display?.thresholds ?? [],
    };
    const isNothing = display.unit === null && display.decimals === null && display.thresholds.length === 0;
    await setDisplay(tx.db, row.id, isNothing ? null : display);
    await recordEvent(tx, 'edit', 'channel', channelId, { attribute });
    return answer({ ...row, display });
  });
}

/** Names of Telltale itself (`lora.`, `sys.`) are moved away from them only in payloads. */
const isStoredName = (name: string): boolean => [name, `p.${name}`].includes(attributeName(name));

/** Adds an attribute that no device has reported yet: a channel of a file brings along how its readings will be shown. */
export async function addAttribute(
  ctx: UserCtx,
  channelId: string,
  { kind, ...changes }: AttributeChanges & { kind: PointKind },
): Promise<ChannelAttribute> {
  const { attribute: name } = changes;
  if (!isStoredName(name)) throw invalid('No attribute can have this name.');
  const { pk } = await getChannelRow(ctx, channelId);
  const hasRoom = await insertAttribute(ctx.db, pk, { name, kind, most: ctx.config.mqtt.channelAttributes });
  if (!hasRoom) throw invalid('The channel has as many attributes as it may have.');
  return saveAttribute(ctx, channelId, changes);
}
