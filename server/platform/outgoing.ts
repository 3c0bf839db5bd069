/** The one way out to addresses that people typed (security 9): what it must be able to do; see createOutgoingHttp. */
export interface OutgoingRequest {
  method?: 'GET' | 'POST';
  headers?: Record<string, string>;
  body?: string | Uint8Array;
  signal: AbortSignal;
  /** Redirects to follow, each checked again; none unless stated. */
  redirects?: number;
  /** Time until the head of the answer is there. */
  timeoutMs?: number;
  /** Refused beyond this many bytes. */
  maxBytes?: number;
  /** Accept an unverified certificate: an administrator's choice per source. */
  allowInvalidCertificate?: boolean;
}

export interface OutgoingResponse {
  status: number;
  headers: Record<string, string>;
  /** The address that answered, after redirects. */
  url: string;
  /** Decompressed; ends with an error beyond maxBytes. */
  body: AsyncIterable<Uint8Array>;
  text(): Promise<string>;
}

export interface OutgoingHttp {
  fetch(url: string, request: OutgoingRequest): Promise<OutgoingResponse>;
}
