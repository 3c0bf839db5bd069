import { MqttLink } from '../networks/mqtt-link.ts';
import type { Secrets } from '../platform/secrets.ts';
import { randomKey } from '../platform/secrets.ts';
import type { NetworkRow } from './network-servers.store.ts';
import { kindOf, optionsOf } from './network-servers.ts';

const idleMs = 60_000;

interface Publisher {
  link: Promise<MqttLink>;
  timer: NodeJS.Timeout;
}

/** Connections that only publish, opened on demand: the receiving connection may be in another process. */
export class Publishers {
  readonly #open = new Map<string, Publisher>();

  async publish(network: NetworkRow, secrets: Secrets, { topic, body }: { topic: string; body: string }): Promise<void> {
    const key = `${network.id}:${network.version}`;
    const publisher = this.#open.get(key) ?? this.#start(key, network, secrets);
    publisher.timer.refresh();
    const link = await publisher.link;
    await link.publish(topic, body, kindOf(network.type).publishQos);
  }

  #start(key: string, network: NetworkRow, secrets: Secrets): Publisher {
    const settings = kindOf(network.type).broker(optionsOf(secrets, network), `${network.client_id}-${randomKey(6)}`);
    if (!settings) throw new Error('The network has no broker.');
    const link = MqttLink.open({ ...settings, keepsSession: false, subscriptions: [] }, async () => {});
    const publisher: Publisher = { link, timer: setTimeout(() => this.#end(key, publisher), idleMs) };
    this.#open.set(key, publisher);
    link.then(
      (opened) => opened.closed.then(() => this.#end(key, publisher)),
      () => this.#end(key, publisher),
    );
    return publisher;
  }

  #end(key: string, publisher: Publisher): void {
    if (this.#open.get(key) === publisher) this.#open.delete(key);
    clearTimeout(publisher.timer);
    publisher.link.then(
      (link) => link.close(),
      () => {},
    );
  }

  close(): void {
    for (const [key, publisher] of [...this.#open]) this.#end(key, publisher);
  }
}
