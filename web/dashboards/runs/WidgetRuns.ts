import type { QueryResult } from '@telltale/domain/results/contract.ts';

export interface WidgetRun {
  /** `waiting` until it is near the screen and there is a free place. */
  status: 'waiting' | 'running' | 'done' | 'failed';
  startedAt: number;
  fault: string | null;
  /** The last good result stays until there is a newer one. */
  result: QueryResult | null;
}

/** The request of a widget: equal keys mean the same request. */
export interface Question {
  key: string;
  /** Runs the request; results younger than `maxAge` seconds will do, -1 for any age. */
  ask: (maxAge: number, signal: AbortSignal) => Promise<QueryResult>;
  /** A stored answer that is older than so many seconds is shown and requested again. */
  staleSeconds?: number | null | undefined;
  /** Resolves when the code that draws the answer is loaded. */
  untilDrawable?: () => Promise<void>;
}

export type Nearness = 'visible' | 'near' | 'far';

interface Entry {
  question: Question;
  run: WidgetRun;
  /** The time at which a fresh answer was requested; null where any will do. */
  askedAt: number | null;
  isWaiting: boolean;
  /** The run was automatic: where it fails, the shown answer stays. */
  isQuiet: boolean;
  /** Asked because devices have reported: the picture is exchanged without a sign of running. */
  isFollowing: boolean;
  /** Devices have reported since this question was asked. */
  isBehind: boolean;
  /** Goes up with every question, so that late answers are known as such. */
  turn: number;
}

export interface RunsSummary {
  isBusy: boolean;
  failures: number;
  /** ISO text of the oldest result shown. */
  oldest: string | null;
}

/** A run that ends sooner is never shown as running. */
const noticeableMs = 200;

const none: WidgetRun = { status: 'waiting', startedAt: 0, fault: null, result: null };

interface WidgetRunsOptions {
  /** The number of concurrent requests. */
  most?: number;
  now?: () => number;
  /** Waits until the screen shows the last update. */
  nextFrame?: () => Promise<void>;
}

const anyTime = async () => {};

/** Complaint 25: widgets request data when they come near the screen, visible ones first, a few at a time, and equal requests once. */
export class WidgetRuns {
  readonly #entries = new Map<number, Entry>();
  readonly #nearness = new Map<number, Nearness>();
  readonly #underway = new Map<string, Promise<QueryResult>>();
  /** The last answer to each current request, and how fresh it was meant to be. */
  readonly #answered = new Map<string, Pick<Entry, 'askedAt'> & { result: QueryResult }>();
  readonly #listeners = new Set<() => void>();
  readonly #now: () => number;
  readonly #most: number;
  readonly #faultOf: (error: unknown) => Promise<string>;
  readonly #nextFrame: () => Promise<void>;
  #abort = new AbortController();
  /** Resolves when the next answer may be shown: drawing takes time, and the first picture need not wait for the others. */
  #turn: Promise<void> = Promise.resolve();
  /** The time of the last refresh of everything, which also applies to widgets that were out of sight then. */
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

  /** A first request accepts a stored answer; a changed request needs a fresh one. */
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

  /** Devices have reported: asks once more, or when the answer that is under way has come. */
  follow(id: number): void {
    const entry = this.#entries.get(id);
    if (!entry) return;
    if (isBusy(entry.run) || entry.isFollowing) entry.isBehind = true;
    else this.#enqueue(id, entry.question, this.#now(), { isFollowing: true });
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

  #enqueue(
    id: number,
    question: Question,
    askedAt: number | null,
    { isQuiet = false, isFollowing = false }: Partial<Pick<Entry, 'isQuiet' | 'isFollowing'>> = {},
  ): void {
    const before = this.#entries.get(id);
    const run: WidgetRun =
      isFollowing && before?.run.result ? before.run : { ...(before?.run ?? none), status: 'waiting', startedAt: this.#now(), fault: null };
    this.#entries.set(id, {
      question,
      run,
      askedAt,
      isWaiting: true,
      isQuiet,
      isFollowing,
      isBehind: false,
      turn: (before?.turn ?? 0) + 1,
    });
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
    const slow = setTimeout(() => !entry.isFollowing && set({ status: 'running', startedAt }), noticeableMs);
    try {
      const [result] = await Promise.all([this.#answerTo(entry), entry.question.untilDrawable?.()]);
      await this.#myTurn();
      clearTimeout(slow);
      set({ status: 'done', fault: null, result });
      if (entry.askedAt === null && this.#isStale(entry.question, result) && this.#entries.get(id)?.turn === turn)
        this.#enqueue(id, entry.question, this.#now(), { isQuiet: true });
    } catch (error) {
      const fault = await this.#faultOf(error);
      clearTimeout(slow);
      set(entry.isQuiet ? { status: 'done', fault: null } : { status: 'failed', fault });
    }
    if (this.#entries.get(id) !== entry) return;
    entry.isFollowing = false;
    if (entry.isBehind) this.follow(id);
  }

  #isStale({ staleSeconds }: Question, { retrieved_at }: QueryResult): boolean {
    return staleSeconds != null && this.#now() - Date.parse(retrieved_at) > staleSeconds * 1000;
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
    // A later request for the same key accepts the answer to the first one.
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
