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

const anywhere = ['0.0.0.0', '::', '[::]', 'localhost', '127.0.0.1', '[::1]'];

/** Where a device finds the broker: one that listens everywhere is reached by the name that this page was. */
export function brokerOf(
  { mqtt_address, mqtt_tls_address }: Pick<Wired, 'mqtt_address' | 'mqtt_tls_address'>,
  pageHost: string,
): Broker | null {
  const address = mqtt_tls_address ?? mqtt_address;
  const [, scheme, host, port] = /^(mqtts?):\/\/(.+):(\d+)$/.exec(address ?? '') ?? [];
  if (!scheme || !host) return null;
  return { host: anywhere.includes(host) ? pageHost : host.replace(/^\[|\]$/g, ''), port: Number(port), isTls: scheme === 'mqtts' };
}

/** For a shell: whatever is inside is text. */
const shellText = (text: string) => `'${text.replaceAll("'", `'\\''`)}'`;

/** Ready to paste: a first value out, and what is sent to the device in. */
export function snippetsOf(device: Wired, { host, port, isTls }: Broker): Snippet[] {
  const key = device.api_key === secretMask ? 'YOUR_API_KEY' : device.api_key;
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
