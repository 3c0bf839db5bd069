/** Ids of devices that have deliveries to send. */
export const downlinkNotification = 'telltale_downlinks';
/** Ids of changed deliveries. */
export const deliveryNotification = 'telltale_deliveries';

export const readIds = (payload: string): number[] => payload.split(' ').map(Number).filter(Number.isSafeInteger);
