import type { AedesOptions, Client, PublishPacket } from 'aedes';
import { OpenAedes, type PublishDone } from './aedes-internals.ts';
import { UserSubscribers } from './user-subscribers.ts';

/** Marks a message that is processed already: it is only forwarded to userSubscribers. */
export interface Handled extends PublishPacket {
  isHandled?: boolean;
  /** The full topic under which userSubscribers see the message, whichever short form the sender used. */
  shownTopic?: string;
  /** A last will, which may come when its client is long gone. */
  isWill?: boolean;
}

/** Aedes without the parts that an endpoint for uplinks does not need: stored messages are not passed around. */
export class Core extends OpenAedes {
  /** Users who watch with a key of theirs. They bypass the emitter: a slow reader would hold up all others. */
  readonly userSubscribers = new UserSubscribers();
  readonly #endSession: (client: Client) => void;

  /** `endSession` keeps the session of a client that is gone for as long as the client asked. */
  constructor(options: AedesOptions, endSession: (client: Client) => void) {
    super(options);
    this.#endSession = endSession;
  }

  /** Sessions are kept in the database: timers of this process would end with it, and hold on to connections meanwhile. */
  protected override sessionEnds(client: Client): void {
    this.#endSession(client);
  }

  protected override publishes(packet: Handled, client: Client | null, done: PublishDone): void {
    if (!packet.isHandled) this.passOn(packet, client, done);
    else {
      if (this.userSubscribers.count > 0) this.userSubscribers.show(packet.shownTopic ?? packet.topic, packet.payload);
      done();
    }
  }
}
