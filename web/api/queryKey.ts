import type { Endpoint } from '@telltale/domain/endpoint.ts';

/** Reads are cached by method, path and input; a write refreshes by the first two. */
export const queryKey = (endpoint: Endpoint, input: object = {}) => [endpoint.method, endpoint.path, input] as const;

export const familyKey = (endpoint: Endpoint) => [endpoint.method, endpoint.path] as const;
