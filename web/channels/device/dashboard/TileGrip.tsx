import HolderOutlined from '@ant-design/icons/HolderOutlined';
import { createContext, type KeyboardEvent, use } from 'react';
import styles from './Dashboard.module.css';

export type TileGrip = (title: string, event: KeyboardEvent) => void;

/** Provided by the grid for users who may arrange it; a single column cannot be arranged. */
export const TileGripContext = createContext<TileGrip | null>(null);

/** The head of a tile: its title, which is also the handle. */
export function TileHead({ title }: { title: string }) {
  const onKeyDown = use(TileGripContext);
  return (
    <header data-move>
      <span>{title}</span>
      {onKeyDown && (
        <button
          type="button"
          className={styles.grip}
          aria-label={`Move ${title}`}
          title="Drag, or use the arrow keys; with Shift they change the size"
          onKeyDown={(event) => onKeyDown(title, event)}
        >
          <HolderOutlined aria-hidden />
        </button>
      )}
    </header>
  );
}
