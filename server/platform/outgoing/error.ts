/** The fault of an outgoing request: a caller tries again after `unreachable`, `timeout` and `lost`, never after `refused`. */
export type OutgoingFault = 'refused' | 'unreachable' | 'timeout' | 'lost' | 'too-large' | 'bad-answer';

/** The text is shown to the user who typed the address; it never names the IP address behind a host name. */
export class OutgoingError extends Error {
  override name = 'OutgoingError';
  readonly fault: OutgoingFault;

  constructor(fault: OutgoingFault, message: string, cause?: unknown) {
    super(message, { cause });
    this.fault = fault;
  }
}

export const privateAddressMessage = "Can't query private addresses.";
