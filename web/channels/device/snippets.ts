import type { DeviceDetail } from '@telltale/domain/channels/contract.ts';
import { secretMask } from '@telltale/domain/forms/type-schema.ts';

type Wired = Pick<
  DeviceDetail,
  'channel_id' | 'device_id' | 'api_key' | 'publish_topic' | 'subscribe_topic' | 'mqtt_address' | 'mqtt_tls_address'
>;

export interface Broker {
  host: string;
  port: number;
  isTls: boolean;
}

export interface Snippet {
  name: string;
  publish: string;
  subscribe: string;
}

/** Whether the broker is reachable from this machine only, so that a device elsewhere cannot connect. */
export function isLocalOnly({ mqtt_address, mqtt_tls_address }: Pick<Wired, 'mqtt_address' | 'mqtt_tls_address'>): boolean {
  const listeners = [mqtt_address, mqtt_tls_address].filter((one) => one !== null);
  return listeners.length > 0 && listeners.every((one) => /^mqtts?:\/\/(127\.[\d.]+|localhost|\[::1\]):/.test(one));
}

const anywhere = ['0.0.0.0', '::', '[::]', 'localhost', '127.0.0.1', '[::1]'];

/** The broker's address for a device: one that listens on all addresses is reached by the host name of this page. */
export function brokerOf(
  { mqtt_address, mqtt_tls_address }: Pick<Wired, 'mqtt_address' | 'mqtt_tls_address'>,
  pageHost: string,
): Broker | null {
  const address = mqtt_tls_address ?? mqtt_address;
  const [, scheme, host, port] = /^(mqtts?):\/\/(.+):(\d+)$/.exec(address ?? '') ?? [];
  if (!scheme || !host) return null;
  return { host: anywhere.includes(host) ? pageHost : host.replace(/^\[|\]$/g, ''), port: Number(port), isTls: scheme === 'mqtts' };
}

/** Quotes a text for a shell. */
const shellText = (text: string) => `'${text.replaceAll("'", `'\\''`)}'`;

const keyOf = ({ api_key }: Wired) => (api_key === secretMask ? 'YOUR_API_KEY' : api_key);

/** iot-behaviour 1.12: the same over HTTP, to the console's own address. */
export function curlOf(device: Wired, origin: string): Snippet {
  const address = `${origin}/api/v1/${device.channel_id}/devices/${device.device_id}`;
  const key = `-H ${shellText(`Authorization: Key ${keyOf(device)}`)}`;
  return {
    name: 'curl',
    publish: `curl -X POST ${shellText(`${address}/up`)} \\\n  ${key} \\\n  -d ${shellText('{"temperature": 21.5}')}`,
    subscribe: `curl ${shellText(`${address}/down?wait=60`)} \\\n  ${key}`,
  };
}

/** Snippets to paste: they send a first value, and receive messages to the device. */
export function snippetsOf(device: Wired, { host, port, isTls }: Broker): Snippet[] {
  const key = keyOf(device);
  const user = `${device.channel_id}/${device.device_id}`;
  const payload = '{"temperature": 21.5}';
  const common = `-h ${host} -p ${port}${isTls ? ' --tls-use-os-certs' : ''} -q 1 \\\n  -u ${shellText(user)} -P ${shellText(key)}`;
  return [
    {
      name: 'mosquitto',
      publish: `mosquitto_pub ${common} \\\n  -t ${shellText(device.publish_topic)} \\\n  -m ${shellText(payload)}`,
      subscribe: `mosquitto_sub ${common} \\\n  -t ${shellText(device.subscribe_topic)}`,
    },
    {
      name: 'Python',
      publish: python(device, { host, port, isTls }, key, user),
      subscribe: pythonListener(device, { host, port, isTls }, key, user),
    },
    { name: 'Arduino', publish: arduino(device, { host, port, isTls }, key, user), subscribe: arduinoListener(device) },
  ];
}

const pythonStart = ({ host, port, isTls }: Broker, key: string, user: string, more: string) => `# pip install paho-mqtt
import paho.mqtt.client as mqtt

api = getattr(mqtt, "CallbackAPIVersion", None)  # since paho 2
client = mqtt.Client(*([api.VERSION2] if api else []), protocol=mqtt.MQTTv311)
client.username_pw_set("${user}", "${key}")
${isTls ? 'client.tls_set()\n' : ''}${more}client.connect("${host}", ${port})
`;

const python = (
  { publish_topic }: Wired,
  broker: Broker,
  key: string,
  user: string,
) => `${pythonStart(broker, key, user, '')}client.loop_start()
client.publish("${publish_topic}", '{"temperature": 21.5}', qos=1).wait_for_publish()
client.disconnect()`;

const pythonListener = ({ subscribe_topic }: Wired, broker: Broker, key: string, user: string) =>
  `${pythonStart(
    broker,
    key,
    user,
    `client.on_connect = lambda c, *_: c.subscribe("${subscribe_topic}", qos=1)
client.on_message = lambda c, _, message: print(message.payload.decode())
`,
  )}client.loop_forever()`;

const arduino = (device: Wired, { host, port, isTls }: Broker, key: string, user: string) => `// Libraries: WiFi, PubSubClient
#include <WiFi.h>
${isTls ? '#include <WiFiClientSecure.h>\n' : ''}#include <PubSubClient.h>

${isTls ? 'WiFiClientSecure' : 'WiFiClient'} net;
PubSubClient mqtt(net);

void setup() {
  WiFi.begin("YOUR_WIFI", "YOUR_PASSWORD");
  while (WiFi.status() != WL_CONNECTED) delay(200);
${isTls ? '  net.setInsecure();  // better: net.setCACert(...)\n' : ''}  mqtt.setServer("${host}", ${port});
}

void loop() {
  if (!mqtt.connected()) mqtt.connect("${device.device_id}", "${user}", "${key}");
  mqtt.loop();
  // PubSubClient sends with QoS 0: nothing is acknowledged.
  mqtt.publish("${device.publish_topic}", "{\\"temperature\\": 21.5}");
  delay(10000);
}`;

const arduinoListener = ({ subscribe_topic }: Wired) => `// In the sketch for publishing, add:
void onMessage(char* topic, byte* payload, unsigned int length) {
  Serial.write(payload, length);
}

// at the end of setup():
  mqtt.setCallback(onMessage);

// after mqtt.connect(...):
  mqtt.subscribe("${subscribe_topic}", 1);`;
