import { createHash } from 'node:crypto';
import { setTimeout as delay } from 'node:timers/promises';
import { AwsV4Signer } from 'aws4fetch';
import { createOutgoingHttp, OutgoingError, type OutgoingHttp, type OutgoingResponse } from './outgoing.ts';

/** `missing`: there is no such object. `unavailable`: the store does not answer, or refuses; trying later may help. */
export class ObjectStoreError extends Error {
  override name = 'ObjectStoreError';
  readonly fault: 'missing' | 'unavailable';

  constructor(fault: 'missing' | 'unavailable', message: string, cause?: unknown) {
    super(message, { cause });
    this.fault = fault;
  }
}

export interface ListedObject {
  key: string;
  bytes: number;
  modifiedAt: Date;
}

type Method = 'GET' | 'HEAD' | 'PUT' | 'DELETE';

interface Place {
  /** The address of the bucket, and of the folder within it that all keys begin with. */
  bucket: string;
  folder: string;
  region: string;
  accessKeyId: string;
  secretAccessKey: string;
}

/** Pauses before further attempts: stores answer 503 when they are busy. */
const pausesMs = [300, 1500];
const busy: readonly number[] = [429, 500, 502, 503, 504];
/** For a whole request, also where the way to the store is slow. */
const timeoutMs = 120_000;
const objectBytes = 64 * 1024 ** 2;

/** A bucket that is reached by the protocol of S3. The operator names it, so it may be in a private network. */
export class ObjectStore {
  readonly #place: Place;
  readonly #http: OutgoingHttp;
  readonly #signingKeys = new Map<string, ArrayBuffer>();

  /** `https://KEY:SECRET@host/bucket/folder?region=eu-central-1`. Requests name the bucket in the path, which all stores understand. */
  constructor(url: string, http: OutgoingHttp = createOutgoingHttp({ allowPrivate: [] })) {
    const { origin, pathname, searchParams, username, password } = new URL(url);
    const [bucket = '', ...folders] = pathname.split('/').filter(Boolean);
    this.#place = {
      bucket: `${origin}/${bucket}`,
      folder: folders.map((part) => `${part}/`).join(''),
      region: searchParams.get('region') ?? 'us-east-1',
      accessKeyId: decodeURIComponent(username),
      secretAccessKey: decodeURIComponent(password),
    };
    this.#http = http;
  }

  async put(key: string, body: Uint8Array, signal?: AbortSignal): Promise<void> {
    (await this.#ask('PUT', this.#addressOf(key), { body, signal })).discard();
  }

  /** Reads a whole object; an object of another size than `bytes` was cut or replaced, and counts as missing. */
  async get(key: string, bytes: number, signal?: AbortSignal): Promise<Buffer> {
    const { body } = await this.#ask('GET', this.#addressOf(key), { signal });
    const parts: Uint8Array[] = [];
    try {
      for await (const part of body) parts.push(part);
    } catch (error) {
      throw asStoreError(error);
    }
    const whole = Buffer.concat(parts);
    if (whole.length !== bytes) throw new ObjectStoreError('missing', `The object ${key} has ${whole.length} bytes instead of ${bytes}.`);
    return whole;
  }

  /** Throws unless the object can be read. */
  async require(key: string): Promise<void> {
    (await this.#ask('HEAD', this.#addressOf(key), {})).discard();
  }

  /** Deleting an object that is gone succeeds, so it can be repeated. */
  async delete(key: string): Promise<void> {
    try {
      (await this.#ask('DELETE', this.#addressOf(key), {})).discard();
    } catch (error) {
      if (!(error instanceof ObjectStoreError) || error.fault !== 'missing') throw error;
    }
  }

  /** The objects whose keys begin like this, a page at a time. */
  async *list(prefix: string): AsyncGenerator<ListedObject[]> {
    for (let token: string | undefined; ; ) {
      const query = [
        ['list-type', '2'],
        ['prefix', decodeURIComponent(this.#place.folder) + prefix],
      ];
      if (token !== undefined) query.push(['continuation-token', token]);
      const search = query.map(([name = '', value = '']) => `${name}=${encodeURIComponent(value)}`);
      const xml = await (await this.#ask('GET', `${this.#place.bucket}?${search.join('&')}`, {})).text();
      yield this.#listed(xml);
      token = /<IsTruncated>true<\/IsTruncated>/.test(xml) ? textOf(xml, 'NextContinuationToken') : undefined;
      if (token === undefined) return;
    }
  }

  #listed(xml: string): ListedObject[] {
    const skipped = decodeURIComponent(this.#place.folder).length;
    return [...xml.matchAll(/<Contents>(.*?)<\/Contents>/gs)].map(([, one = '']) => ({
      key: (textOf(one, 'Key') ?? '').slice(skipped),
      bytes: Number(textOf(one, 'Size') ?? 0),
      modifiedAt: new Date(textOf(one, 'LastModified') ?? 0),
    }));
  }

  #addressOf(key: string): string {
    return `${this.#place.bucket}/${this.#place.folder}${key}`;
  }

  async #ask(method: Method, url: string, given: { body?: Uint8Array; signal?: AbortSignal | undefined }): Promise<OutgoingResponse> {
    for (let attempt = 0; ; attempt++) {
      const pauseMs = pausesMs[attempt];
      try {
        const response = await this.#askOnce(method, url, given);
        if (response.status < 300) return response;
        response.discard();
        if (pauseMs === undefined || !busy.includes(response.status)) throw refusal(method, url, response.status);
      } catch (error) {
        given.signal?.throwIfAborted();
        const isLost = error instanceof OutgoingError && ['unreachable', 'timeout', 'lost'].includes(error.fault);
        if (pauseMs === undefined || !isLost) throw asStoreError(error);
      }
      await delay(pauseMs, undefined, { signal: given.signal });
    }
  }

  /** Each attempt is signed anew, because signatures are valid for some minutes only. */
  async #askOnce(method: Method, url: string, { body, signal }: { body?: Uint8Array; signal?: AbortSignal | undefined }) {
    const { region, accessKeyId, secretAccessKey } = this.#place;
    const { headers } = await new AwsV4Signer({
      method,
      url,
      headers: {
        'x-amz-content-sha256': createHash('sha256')
          .update(body ?? '')
          .digest('hex'),
      },
      service: 's3',
      region,
      accessKeyId,
      secretAccessKey,
      cache: this.#signingKeys,
    }).sign();
    return this.#http.fetch(url, {
      method,
      headers: Object.fromEntries(headers),
      ...(body && { body }),
      signal: signal ?? new AbortController().signal,
      timeoutMs,
      maxBytes: objectBytes,
      trusted: true,
    });
  }
}

function refusal(method: Method, url: string, status: number): ObjectStoreError {
  const { host, pathname } = new URL(url);
  return new ObjectStoreError(status === 404 ? 'missing' : 'unavailable', `${host} answered ${status} to ${method} ${pathname}.`);
}

function asStoreError(error: unknown): unknown {
  return error instanceof OutgoingError ? new ObjectStoreError('unavailable', error.message, error) : error;
}

const entities: Record<string, string> = { lt: '<', gt: '>', amp: '&', quot: '"', apos: "'" };

function textOf(xml: string, tag: string): string | undefined {
  const found = new RegExp(`<${tag}>([^<]*)</${tag}>`).exec(xml)?.[1];
  return found?.replace(/&(lt|gt|amp|quot|apos);/g, (_, name: string) => entities[name] ?? '');
}
