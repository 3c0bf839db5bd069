import { z } from 'zod';
import { ById, Empty, endpoint, Time } from '../endpoint.ts';
import { ArrayListParams, listOf } from '../lists/contract.ts';
import { User } from '../users/contract.ts';

/** server-behaviour 12.2: a text that the editor inserts for its trigger. */
export const QuerySnippet = z.object({
  id: z.int(),
  trigger: z.string(),
  description: z.string(),
  snippet: z.string(),
  user: User,
  created_at: Time,
  updated_at: Time,
});
export type QuerySnippet = z.infer<typeof QuerySnippet>;

const fields = {
  trigger: z.string('Trigger is required.').trim().min(1, 'Trigger is required.').max(255, 'Trigger is too long (at most 255 characters).'),
  description: z.string().max(4096, 'Description is too long (at most 4096 characters).'),
  snippet: z
    .string('Snippet is required.')
    .max(100_000, 'The snippet is too long.')
    .refine((text) => text.trim() !== '', 'Snippet is required.'),
};

/** Q5: trigger and snippet are required; an empty description is saved as an empty text. */
export const NewSnippet = z.object({ ...fields, description: fields.description.nullish().transform((text) => text ?? '') });
export type NewSnippet = z.output<typeof NewSnippet>;
export const SnippetChanges = z.object({ ...fields, description: fields.description.nullable().transform((text) => text ?? '') }).partial();
export type SnippetChanges = z.output<typeof SnippetChanges>;

export const querySnippetsApi = {
  list: endpoint('GET', '/api/query_snippets', {
    needs: 'signed_in',
    query: ArrayListParams,
    reply: listOf(QuerySnippet),
    summary: 'Snippets of the organisation.',
  }),
  get: endpoint('GET', '/api/query_snippets/:id', { needs: 'signed_in', params: ById, reply: QuerySnippet, summary: 'One snippet.' }),
  create: endpoint('POST', '/api/query_snippets', {
    needs: 'create_query',
    body: NewSnippet,
    reply: QuerySnippet,
    summary: 'Saves a new snippet; its trigger is not taken yet.',
  }),
  save: endpoint('POST', '/api/query_snippets/:id', {
    needs: 'signed_in',
    params: ById,
    body: SnippetChanges,
    reply: QuerySnippet,
    summary: 'Changes the sent fields, for its author and administrators.',
  }),
  remove: endpoint('DELETE', '/api/query_snippets/:id', {
    needs: 'signed_in',
    params: ById,
    reply: Empty,
    summary: 'Deletes a snippet, for its author and administrators.',
  }),
};
