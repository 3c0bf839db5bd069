import { readBrokerAddress } from '../address.ts';
import type { ExternalBrokerSettings } from './external-broker.ts';

/** `mqtt(s)://user:password@host:port` of the setting MQTT_URL. */
export function readExternalBroker(text: string, isShared: boolean): ExternalBrokerSettings {
  const url = new URL(text);
  const address = readBrokerAddress(`${url.protocol}//${url.host}`, false);
  if (!address) throw new Error('MQTT_URL must be mqtt://host:port or mqtts://host:port.');
  const part = (value: string) => (value === '' ? undefined : decodeURIComponent(value));
  return { address, username: part(url.username), password: part(url.password), isShared };
}
