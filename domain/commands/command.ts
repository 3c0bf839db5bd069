import { z } from 'zod';

/** A5: operators of conditions. */
export const operators = ['>', '>=', '<', '<=', '==', '!='] as const;
export const Operator = z.enum(operators);
export type Operator = z.infer<typeof Operator>;

export const Scalar = z.union([z.number(), z.boolean(), z.string().max(4096)]);
export type Scalar = z.infer<typeof Scalar>;

/** A3: `column` is an attribute of the device; the command is repeated until the condition holds. */
export const Retry = z.object({ options: z.object({ op: Operator, column: z.string(), value: Scalar }) });
export type RetryUntil = z.infer<typeof Retry>;

/**
 * The fields that a client may send. They are only typed here: the rules of A5 are checked by the server, which answers in their words.
 * On a save, a field that is left out stays.
 */
export const CommandInput = z.object({
  name: z.string().max(1000).optional(),
  command_name: z.string().max(1000).optional(),
  channel_id: z.string().max(64).nullish(),
  device_ids: z.array(z.string().max(64)).max(10_000, 'At most 10,000 devices.').nullish(),
  fport: z.union([z.number(), z.string().max(10)]).nullish(),
  mode: z.string().max(20).nullish(),
  confirm: z.boolean().nullish(),
  payload: z.string().max(200_000).nullish(),
  retry_enabled: z.boolean().nullish(),
  retry_count: z.number().nullish(),
  retry_until: z
    .object({
      options: z.object({ op: z.string().max(20).nullish(), column: z.string().max(200).nullish(), value: Scalar.nullish() }).nullish(),
    })
    .nullish(),
  retry_wait_seconds: z.number().nullish(),
  skip_if_true: z.boolean().nullish(),
  ttl_seconds: z.number().nullish(),
});
export type CommandInput = z.output<typeof CommandInput>;
