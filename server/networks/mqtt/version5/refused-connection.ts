import { type Reason, reasons } from './reasons.ts';

type ReturnCode = 2 | 3 | 4 | 5;

const ofReturnCodes: Record<ReturnCode, Reason> = {
  2: reasons.clientIdInvalid,
  3: reasons.serverUnavailable,
  4: reasons.badCredentials,
  5: reasons.notAuthorized,
};

/** Why somebody is not let in: a code for 3.1.1, a code and a sentence for MQTT 5. */
export class RefusedConnection extends Error {
  readonly returnCode: ReturnCode;
  readonly reasonCode: Reason;
  constructor(returnCode: ReturnCode, sentence: string, reasonCode: Reason = ofReturnCodes[returnCode]) {
    super(sentence);
    this.returnCode = returnCode;
    this.reasonCode = reasonCode;
  }
}
