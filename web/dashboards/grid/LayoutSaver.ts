import type { LayoutConflict, PlacedWidget } from '@telltale/domain/dashboards/contract.ts';
import { type FullPosition, isSamePosition, positionOf } from '@telltale/domain/dashboards/grid.ts';
import { ApiError } from '../../api/ApiError.ts';
import { compacted, type Positions } from './layout.ts';

export type SaveStatus = 'saved' | 'saving' | 'saving_failed';

export interface Move {
  id: number;
  version: number;
  options: { position: FullPosition };
}

export interface KnownWidget {
  id: number;
  version: number;
  position: FullPosition;
}

interface LayoutSaverOptions {
  send: (moves: Move[]) => Promise<PlacedWidget[]>;
  onFailed: (error: unknown) => void;
  /** Another user has removed these widgets from the dashboard. */
  onRemoved: (ids: readonly number[]) => void;
}

/** D9: the pause after the last move before the layout is saved. */
const pauseMs = 2000;
const mostTries = 5;

/**
 * D4 and complaint 23: all moves go out in one request, two seconds after the last one. On a conflict with another editor it takes over
 * their moves, keeps the own ones, and saves again, so that both are kept.
 */
export class LayoutSaver {
  #status: SaveStatus = 'saved';
  #positions: Positions;
  #saved = new Map<number, { version: number; position: FullPosition }>();
  /** Widgets moved by hand, not those that were pushed aside. */
  #touched = new Set<number>();
  #timer: ReturnType<typeof setTimeout> | undefined;
  #sending: Promise<void> | null = null;
  readonly #listeners = new Set<() => void>();
  readonly #options: LayoutSaverOptions;

  constructor(widgets: readonly KnownWidget[], options: LayoutSaverOptions) {
    this.#options = options;
    this.#positions = new Map(widgets.map(({ id, position }) => [id, position]));
    for (const { id, version, position } of widgets) this.#saved.set(id, { version, position });
  }

  readonly status = (): SaveStatus => this.#status;
  readonly positions = (): Positions => this.#positions;
  readonly subscribe = (listener: () => void): (() => void) => {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  };

  /** Takes over the dashboard's current widgets: new ones, deleted ones, and versions that other saves increased. */
  sync(widgets: readonly KnownWidget[]): void {
    const ids = new Set(widgets.map(({ id }) => id));
    const next = new Map([...this.#positions].filter(([id]) => ids.has(id)));
    for (const { id, version, position } of widgets) {
      const known = this.#saved.get(id);
      if (known && known.version >= version) continue;
      this.#saved.set(id, { version, position });
      if (!this.#touched.has(id)) next.set(id, position);
    }
    for (const id of [...this.#saved.keys()]) if (!ids.has(id)) this.#forget(id);
    this.#positions = next;
    this.#tell();
  }

  /** Takes the grid after a widget was moved or resized. */
  move(positions: Positions, id: number): void {
    this.#positions = new Map([...positions].filter(([each]) => this.#saved.has(each)));
    this.#touched.add(id);
    this.#wait();
  }

  /** Takes over the current positions with fitted heights. This alone is no change: they are saved with the next change. */
  fit(positions: Positions): void {
    this.#positions = new Map([...positions].filter(([id]) => this.#saved.has(id)));
  }

  /** Tries again at once. */
  retry(): void {
    void this.#flush();
  }

  /** Saves pending changes; returns whether that worked. */
  async settle(): Promise<boolean> {
    await this.#flush();
    return this.#status === 'saved';
  }

  stop(): void {
    clearTimeout(this.#timer);
  }

  #wait(): void {
    clearTimeout(this.#timer);
    const isChanged = this.#changed().length > 0;
    this.#set(isChanged || this.#sending ? 'saving' : 'saved');
    if (isChanged) this.#timer = setTimeout(() => void this.#flush(), pauseMs);
  }

  #changed(): Move[] {
    return [...this.#positions].flatMap(([id, position]) => {
      const saved = this.#saved.get(id);
      return saved && !isSamePosition(saved.position, position) ? [{ id, version: saved.version, options: { position } }] : [];
    });
  }

  async #flush(): Promise<void> {
    clearTimeout(this.#timer);
    if (this.#sending) await this.#sending;
    if (this.#changed().length === 0) return this.#set('saved');
    this.#set('saving');
    this.#sending = this.#send().finally(() => {
      this.#sending = null;
    });
    await this.#sending;
  }

  async #send(): Promise<void> {
    for (let tries = 1; ; tries++) {
      const moves = this.#changed();
      if (moves.length === 0) return this.#set('saved');
      const touched = [...this.#touched];
      try {
        const placed = await this.#options.send(moves);
        for (const { id, version } of placed) {
          const sent = moves.find((move) => move.id === id);
          if (sent) this.#saved.set(id, { version, position: sent.options.position });
        }
        if (this.#changed().length > 0) return this.#wait();
        for (const id of touched) this.#touched.delete(id);
        return this.#set('saved');
      } catch (error) {
        const conflict = conflictOf(error);
        if (conflict && tries < mostTries) {
          this.#merge(conflict);
          continue;
        }
        this.#set('saving_failed');
        return this.#options.onFailed(error);
      }
    }
  }

  #merge({ widgets, removed }: LayoutConflict): void {
    const next = new Map(this.#positions);
    for (const { id, version, options } of widgets) {
      const before = this.#saved.get(id)?.position;
      const position = positionOf({ ...before, ...options.position });
      this.#saved.set(id, { version, position });
      if (!this.#touched.has(id)) next.set(id, position);
    }
    for (const id of removed) {
      this.#forget(id);
      next.delete(id);
    }
    this.#positions = compacted(next);
    this.#tell();
    if (removed.length > 0) this.#options.onRemoved(removed);
  }

  #forget(id: number): void {
    this.#saved.delete(id);
    this.#touched.delete(id);
  }

  #set(status: SaveStatus): void {
    this.#status = status;
    this.#tell();
  }

  #tell(): void {
    for (const listener of this.#listeners) listener();
  }
}

function conflictOf(error: unknown): LayoutConflict | null {
  if (!(error instanceof ApiError) || error.status !== 409) return null;
  const body = error.body as Partial<LayoutConflict> | null;
  return body && Array.isArray(body.widgets) && Array.isArray(body.removed) ? (body as LayoutConflict) : null;
}
