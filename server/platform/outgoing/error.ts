/** Why a request out did not end well: a caller tries again after `unreachable`, `timeout` and `lost`, never after `refused`. */
export type OutgoingFault = 'refused' | 'unreachable' | 'timeout' | 'lost' | 'too-large' | 'bad-answer';

/** Its text is for whoever typed the address; it never names an address that a name stood for. */
export class OutgoingError extends Error {
  override name = 'OutgoingError';
  readonly fault: OutgoingFault;

  constructor(fault: OutgoingFault, message: string, cause?: unknown) {
    super(message, { cause });
    this.fault = fault;
  }
}

export const privateAddressMessage = "Can't query private addresses.";
