import type { MoveReport } from '@telltale/domain/move/contract.ts';
import type { UserCtx } from '../platform/context.ts';
import { AppError } from '../platform/errors.ts';
import { listTakenNames, noId } from './move.store.ts';

interface Made {
  /** In a preview, the id of the original. */
  id: number;
  /** False for an object that was there already. */
  isNew: boolean;
}

/**
 * Makes objects, each by itself: what cannot be made is reported with its reason and the others go on.
 * A name that is taken already counts as the object itself, so that a second import makes nothing twice.
 */
export class ReportBuilder {
  readonly preview: boolean;
  readonly #ctx: UserCtx;
  readonly #entries: MoveReport['entries'] = [];
  readonly #taken = new Map<string, number>();

  constructor(ctx: UserCtx, preview: boolean) {
    this.#ctx = ctx;
    this.preview = preview;
  }

  async readTaken(): Promise<void> {
    for (const { kind, name, id } of await listTakenNames(this.#ctx.db)) this.#taken.set(`${kind} ${name}`, id);
  }

  /** Makes one object, or records why not. `preview` is the id of the original, or checks the object and returns it. */
  async make(
    kind: string,
    name: string,
    preview: number | (() => Promise<number> | number),
    make: () => Promise<number>,
    takenBy = name,
  ): Promise<Made | undefined> {
    const known = this.#taken.get(`${kind} ${takenBy}`);
    if (known !== undefined) {
      this.#entries.push({ kind, name, outcome: 'exists', ...idOf(known) });
      return { id: known, isNew: false };
    }
    try {
      const id = this.preview ? await (typeof preview === 'number' ? preview : preview()) : await make();
      this.#entries.push({ kind, name, outcome: 'made', ...(this.preview ? {} : idOf(id)) });
      this.#taken.set(`${kind} ${takenBy}`, id);
      return { id, isNew: true };
    } catch (error) {
      this.refuse(kind, name, this.#reasonOf(error, kind));
      return undefined;
    }
  }

  /** Finds an object of this name that was there already, or was made from the file. */
  find = (kind: string, name: string): number | undefined => this.#taken.get(`${kind} ${name}`);

  /** Takes over a part of an object that is made already; a part that cannot be is noted. */
  async takePart(kind: string, name: string, take: () => Promise<void>, saying = (reason: string) => reason): Promise<void> {
    try {
      await take();
    } catch (error) {
      this.note(kind, name, saying(this.#reasonOf(error, kind)));
    }
  }

  note(kind: string, name: string, reason: string): void {
    this.#entries.push({ kind, name, outcome: 'changed', reason });
  }

  refuse(kind: string, name: string, reason: string): void {
    this.#entries.push({ kind, name, outcome: 'refused', reason });
  }

  refuseLast(reason: string): void {
    const last = this.#entries.at(-1);
    if (last) Object.assign(last, { outcome: 'refused', reason });
  }

  done(): MoveReport {
    const counts: Record<string, number> = {};
    for (const { kind, outcome } of this.#entries) counts[`${kind} ${outcome}`] = (counts[`${kind} ${outcome}`] ?? 0) + 1;
    return { preview: this.preview, counts, entries: this.#entries };
  }

  #reasonOf(error: unknown, kind: string): string {
    if (error instanceof AppError && error.status < 500) return error.message;
    this.#ctx.log.error({ err: error, kind }, 'an object could not be imported');
    return 'It could not be made.';
  }
}

export const deviceName = (channelId: string, deviceId: string) => `${channelId}/${deviceId}`;

const idOf = (id: number) => (id === noId ? {} : { id });
