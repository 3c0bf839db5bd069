import { z } from 'zod';

/** Q5: trimmed, without empty ones, each once; null, as some clients send it, means none. */
export const Tags = z
  .array(z.string().max(100, 'The tags are too long (at most 100 characters each).').nullable())
  .max(100, 'There are too many tags (at most 100).')
  .nullable()
  .transform((all) => [...new Set((all ?? []).flatMap((tag) => tag?.trim() || []))]);

export const Tag = z.object({ name: z.string(), count: z.int() });
export type Tag = z.infer<typeof Tag>;

/** server-behaviour 7.8: tags of the objects that the caller can see, by name. */
export const TagsReply = z.object({ tags: z.array(Tag) });
export type TagsReply = z.infer<typeof TagsReply>;
