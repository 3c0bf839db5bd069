import type { DeviceWidget, LastValue } from '@telltale/domain/channels/data-contract.ts';

const columns = 6;
const tile = { sizeX: 2, sizeY: 3 } as const;
const feedSize = { sizeX: 6, sizeY: 8 } as const;

export const keyOf = ({ attribute }: Pick<DeviceWidget, 'attribute'>): string => (attribute === null ? 'feed' : `attribute ${attribute}`);

export const feedTitle = 'Live uplinks';
export const titleOf = ({ attribute }: Pick<DeviceWidget, 'attribute'>): string => attribute ?? feedTitle;

/** The default layout: a tile per attribute, three in a row, and the feed below; arranged tiles keep their places. */
export function arranged(saved: readonly DeviceWidget[], values: readonly Pick<LastValue, 'attribute'>[]): DeviceWidget[] {
  const wanted: (string | null)[] = [...values.map(({ attribute }) => attribute).filter((name) => !/^(lora|sys)\./.test(name)), null];
  const known = new Map(saved.map((widget) => [keyOf(widget), widget]));
  const kept = wanted.flatMap((attribute) => known.get(keyOf({ attribute })) ?? []);
  const fresh = wanted.filter((attribute) => !known.has(keyOf({ attribute })));
  let row = Math.max(0, ...kept.map((widget) => widget.row + widget.sizeY));
  let col = 0;
  const added = fresh.map((attribute): DeviceWidget => {
    const size = attribute === null ? feedSize : tile;
    if (col + size.sizeX > columns) [col, row] = [0, row + tile.sizeY];
    const placed = { attribute, col, row, ...size };
    col += size.sizeX;
    return placed;
  });
  return [...kept, ...added];
}
