import type { ServerEvents } from '@telltale/domain/live/contract.ts';
import type { LiveConnection, LiveFeed, ServerFrame } from './LiveConnection.ts';

/** A kind of subscription: the events that begin and end it, and the event that brings its news. */
export interface TopicKind {
  begin: string;
  end: string;
  news: string;
  /** The request that a piece of news answers. */
  asked: (data: never) => object;
}

export interface TopicListener<News> {
  onNews: (news: News) => void;
  /** Nothing comes for the moment, because the socket is lost or the server refuses. */
  onLost?: () => void;
  /** The socket is back: news may have been missed meanwhile. */
  onRenewed?: () => void;
}

interface Topic {
  kind: TopicKind;
  asked: object;
  listeners: Set<TopicListener<never>>;
  retry?: ReturnType<typeof setTimeout>;
}

const retryMs = 10_000;
/** Refusals that asking again does not change. */
const lasting: readonly string[] = ['not_found', 'forbidden'];
const keyOf = (event: string, asked: object): string => `${event} ${JSON.stringify(asked)}`;

/** Subscriptions that one frame begins and one frame ends: jobs, commands, readings. Listeners of one topic share its subscription. */
export class TopicFeed implements LiveFeed {
  readonly #connection: LiveConnection;
  readonly #kinds: readonly TopicKind[];
  readonly #topics = new Map<string, Topic>();
  #isLost = false;

  constructor(connection: LiveConnection, kinds: readonly TopicKind[]) {
    this.#connection = connection;
    this.#kinds = kinds;
    connection.add(this);
  }

  get hasSubscribers(): boolean {
    return this.#topics.size > 0;
  }

  subscribe<News>(kind: TopicKind, asked: object, listener: TopicListener<News>): () => void {
    const key = keyOf(kind.begin, asked);
    const topic: Topic = this.#topics.get(key) ?? { kind, asked, listeners: new Set() };
    this.#topics.set(key, topic);
    topic.listeners.add(listener as TopicListener<never>);
    // Sent for every listener: the answer is the current state, which a later one needs too.
    this.#connection.send(kind.begin, asked);
    this.#connection.connect();
    return () => {
      if (!topic.listeners.delete(listener as TopicListener<never>) || topic.listeners.size > 0) return;
      clearTimeout(topic.retry);
      this.#topics.delete(key);
      this.#connection.send(kind.end, asked);
      this.#connection.release();
    };
  }

  renew(): void {
    const wasLost = this.#isLost;
    this.#isLost = false;
    for (const { kind, asked, listeners } of [...this.#topics.values()]) {
      this.#connection.send(kind.begin, asked);
      if (wasLost) for (const { onRenewed } of [...listeners]) onRenewed?.();
    }
  }

  lose(): void {
    this.#isLost = true;
    for (const { listeners } of [...this.#topics.values()]) for (const { onLost } of [...listeners]) onLost?.();
  }

  receive({ event, data }: ServerFrame): void {
    if (event === 'error') this.#refuse(data as ServerEvents['error']);
    const kind = this.#kinds.find(({ news }) => news === event);
    const topic = kind && this.#topics.get(keyOf(kind.begin, kind.asked(data as never)));
    for (const { onNews } of [...(topic?.listeners ?? [])]) onNews(data as never);
  }

  #refuse({ code, event = '', asked = {} }: ServerEvents['error']): void {
    const topic = this.#topics.get(keyOf(event, asked));
    if (!topic) return;
    clearTimeout(topic.retry);
    if (!lasting.includes(code)) topic.retry = setTimeout(() => this.#connection.send(topic.kind.begin, topic.asked), retryMs);
    for (const { onLost } of [...topic.listeners]) onLost?.();
  }
}
