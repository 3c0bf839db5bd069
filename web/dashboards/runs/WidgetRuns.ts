import type { QueryResult } from '@telltale/domain/results/contract.ts';

export interface WidgetRun {
  /** `waiting` until it is near the screen and there is a free place. */
  status: 'waiting' | 'running' | 'done' | 'failed';
  startedAt: number;
  fault: string | null;
  /** The last good one stays until there is a newer one. */
  result: QueryResult | null;
}

/** What a widget asks: equal keys are the same question. */
export interface Question {
  key: string;
  /** Younger answers will do, in seconds; -1 for any age. */
  ask: (maxAge: number, signal: AbortSignal) => Promise<QueryResult>;
  /** What the answer is drawn with, too, has to be here. */
  untilDrawable?: () => Promise<void>;
}

export type Nearness = 'visible' | 'near' | 'far';

interface Entry {
  question: Question;
  run: WidgetRun;
  /** When a fresh answer was asked for; null where any will do. */
  askedAt: number | null;
  isWaiting: boolean;
  /** Goes up with every question, so that late answers are known as such. */
  turn: number;
}

export interface RunsSummary {
  isBusy: boolean;
  failures: number;
  /** ISO text of the oldest result shown. */
  oldest: string | null;
}

/** What is answered sooner was never seen to run. */
const noticeableMs = 200;

const none: WidgetRun = { status: 'waiting', startedAt: 0, fault: null, result: null };

interface WidgetRunsOptions {
  /** Questions under way at a time. */
  most?: number;
  now?: () => number;
  /** Waits until the screen shows what it was told last. */
  nextFrame?: () => Promise<void>;
}

const anyTime = async () => {};

/** Complaint 25: widgets ask when they come near the screen, those on it first, a few at a time, and equal questions once. */
export class WidgetRuns {
  readonly #entries = new Map<number, Entry>();
  readonly #nearness = new Map<number, Nearness>();
  readonly #underway = new Map<string, Promise<QueryResult>>();
  /** The last answer to each question that somebody still asks, and how fresh it was meant to be. */
  readonly #answered = new Map<string, Pick<Entry, 'askedAt'> & { result: QueryResult }>();
  readonly #listeners = new Set<() => void>();
  readonly #now: () => number;
  readonly #most: number;
  readonly #faultOf: (error: unknown) => Promise<string>;
  readonly #nextFrame: () => Promise<void>;
  #abort = new AbortController();
  /** When the next answer may be shown: a picture is work, and the first one need not wait for the others. */
  #turn: Promise<void> = Promise.resolve();
  /** When everything was asked for anew: also for widgets that nobody had seen by then. */
  #refreshedAt: number | null = null;
  #summary: RunsSummary = { isBusy: false, failures: 0, oldest: null };

  constructor(faultOf: (error: unknown) => Promise<string>, { most = 6, now = Date.now, nextFrame = anyTime }: WidgetRunsOptions = {}) {
    this.#faultOf = faultOf;
    this.#most = most;
    this.#now = now;
    this.#nextFrame = nextFrame;
  }

  readonly subscribe = (listener: () => void): (() => void) => {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  };
  readonly runOf = (id: number): WidgetRun => this.#entries.get(id)?.run ?? none;
  readonly summary = (): RunsSummary => this.#summary;

  /** Asked at first for what is there; when the question changes, for a fresh answer. */
  want(id: number, question: Question): void {
    const before = this.#entries.get(id);
    if (before?.question.key === question.key) {
      before.question = question;
      return;
    }
    this.#enqueue(id, question, before ? this.#now() : this.#refreshedAt);
  }

  refresh(id: number): void {
    const entry = this.#entries.get(id);
    if (entry) this.#enqueue(id, entry.question, this.#now());
  }

  refreshAll(): void {
    this.#refreshedAt = this.#now();
    for (const id of [...this.#entries.keys()]) this.refresh(id);
  }

  /** Of widgets that are gone nothing is asked or told any more. */
  keepOnly(ids: ReadonlySet<number>): void {
    const gone = [...this.#entries.keys()].filter((id) => !ids.has(id));
    for (const id of gone) this.#entries.delete(id);
    if (gone.length > 0) this.#tell();
  }

  setNearness(id: number, nearness: Nearness): void {
    this.#nearness.set(id, nearness);
    this.#pump();
  }

  stop(): void {
    this.#abort.abort();
    this.#abort = new AbortController();
  }

  #enqueue(id: number, question: Question, askedAt: number | null): void {
    const before = this.#entries.get(id);
    const run: WidgetRun = { ...(before?.run ?? none), status: 'waiting', startedAt: this.#now(), fault: null };
    this.#entries.set(id, { question, run, askedAt, isWaiting: true, turn: (before?.turn ?? 0) + 1 });
    this.#tell();
    this.#pump();
  }

  #pump(): void {
    for (const wanted of ['visible', 'near'] as const) {
      for (const [id, entry] of this.#entries) {
        if (!entry.isWaiting || (this.#nearness.get(id) ?? 'far') !== wanted) continue;
        if (this.#underway.size < this.#most || this.#underway.has(underwayKey(entry))) void this.#start(id, entry);
      }
    }
  }

  async #start(id: number, entry: Entry): Promise<void> {
    const { turn } = entry;
    entry.isWaiting = false;
    const set = (changes: Partial<WidgetRun>) => {
      const current = this.#entries.get(id);
      if (current?.turn !== turn) return;
      current.run = { ...current.run, ...changes };
      this.#tell();
    };
    const startedAt = this.#now();
    const slow = setTimeout(() => set({ status: 'running', startedAt }), noticeableMs);
    try {
      const [result] = await Promise.all([this.#answerTo(entry), entry.question.untilDrawable?.()]);
      await this.#myTurn();
      clearTimeout(slow);
      set({ status: 'done', fault: null, result });
    } catch (error) {
      const fault = await this.#faultOf(error);
      clearTimeout(slow);
      set({ status: 'failed', fault });
    }
  }

  #myTurn(): Promise<void> {
    const mine = this.#turn;
    this.#turn = mine.then(this.#nextFrame);
    return mine;
  }

  #answerTo(entry: Entry): Promise<QueryResult> {
    const key = underwayKey(entry);
    const shared = this.#underway.get(key);
    if (shared) return shared;
    const known = this.#answered.get(entry.question.key);
    if (known && (entry.askedAt === null || (known.askedAt ?? -1) >= entry.askedAt)) return Promise.resolve(known.result);
    // Whoever asks later for the same takes what was made for the first one.
    const maxAge = entry.askedAt === null ? -1 : Math.ceil((this.#now() - entry.askedAt) / 1000);
    const { signal } = this.#abort;
    const answer = entry.question
      .ask(maxAge, signal)
      .then((result) => this.#remember(entry, result))
      .finally(() => {
        this.#underway.delete(key);
        if (!signal.aborted) this.#pump();
      });
    this.#underway.set(key, answer);
    return answer;
  }

  #remember({ question, askedAt }: Entry, result: QueryResult): QueryResult {
    const asked = new Set([...this.#entries.values()].map((entry) => entry.question.key));
    for (const key of this.#answered.keys()) if (!asked.has(key)) this.#answered.delete(key);
    this.#answered.set(question.key, { askedAt, result });
    return result;
  }

  #tell(): void {
    const runs = [...this.#entries.values()].map(({ run }) => run);
    const times = runs.flatMap(({ result }) => (result ? [result.retrieved_at] : [])).sort();
    this.#summary = {
      isBusy: [...this.#entries].some(([id, { run }]) => isBusy(run) && (run.status === 'running' || this.#nearness.get(id) === 'visible')),
      failures: runs.filter(({ status }) => status === 'failed').length,
      oldest: times[0] ?? null,
    };
    for (const listener of this.#listeners) listener();
  }
}

const underwayKey = ({ question, askedAt }: Entry): string => `${askedAt === null ? 'any' : 'fresh'} ${question.key}`;

export const isBusy = ({ status }: Pick<WidgetRun, 'status'>): boolean => status === 'waiting' || status === 'running';
