import type { Connector } from './connector.ts';
import { iotData } from './iot-data.ts';
import { cockroach, postgres, redshift, timescale } from './postgres.ts';

/** Every kind of database we speak to: one file and one line each. */
export const connectors: readonly Connector[] = [iotData, postgres, redshift, timescale, cockroach];

export const findConnector = (type: string): Connector | undefined => connectors.find((connector) => connector.type === type);
