import { Aedes, type Client, type PublishPacket } from 'aedes';
import { Onlookers } from './onlookers.ts';

export type PublishDone = (error?: Error | null) => void;

/** Marks what has been dealt with: it goes nowhere from here but to those who look on. */
export interface Handled extends PublishPacket {
  isHandled?: boolean;
  /** Whatever it was called: where those who look on see it. */
  shownTopic?: string;
}

type Publish = (packet: PublishPacket, client: Client | null, done: PublishDone) => void;

/** Aedes, without what an endpoint for uplinks does not need: messages that are stored are not passed around. */
export class Core extends Aedes {
  /** People who look on with a key of theirs. They do not go through the emitter: one who reads slowly would hold up all others. */
  readonly onlookers = new Onlookers();

  // Its types do not say that a client may stand before the callback.
  override publish = ((packet: Handled, client: Client | null | PublishDone, callback?: PublishDone) => {
    const done = (typeof client === 'function' ? client : callback) ?? (() => {});
    const publish = Aedes.prototype.publish as unknown as Publish;
    if (!packet.isHandled) publish.call(this, packet, typeof client === 'function' ? null : client, done);
    else {
      if (this.onlookers.count > 0) this.onlookers.show(packet.shownTopic ?? packet.topic, packet.payload);
      done();
    }
  }) as Aedes['publish'];
}
