import { z } from 'zod';
import { Delivery, DeliveryLogRow } from './delivery.ts';

const OneCommand = z.object({ command: z.int().min(1).max(2_147_483_647) });

/** Requests of clients: the deliveries of a command as they change. */
export const commandClientEvents = { follow: OneCommand, unfollow: OneCommand };

export const commandServerEvents = {
  following: OneCommand,
  /** The current state of a delivery, for clients that follow the command. */
  delivery: z.object({ command: z.int(), delivery: Delivery }),
  /** iot-behaviour 1.11: for clients that `start`ed the device, under its id. */
  command: z.record(z.string(), DeliveryLogRow),
};
