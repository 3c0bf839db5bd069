import { type AttributeDisplay, noDisplay } from '@telltale/domain/channels/attribute-display.ts';
import type { AttributeChanges, ChannelAttribute } from '@telltale/domain/channels/attributes-contract.ts';
import { recordEvent } from '../events/events.ts';
import type { UserCtx } from '../platform/context.ts';
import { notFound } from '../platform/errors.ts';
import { type AttributeRow, listAttributeRows, lockAttribute, setDisplay } from './attributes.store.ts';
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
