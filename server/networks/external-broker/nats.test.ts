import { describeExternalBroker } from '../testing/describe-external-broker.ts';

/** NATS has no shared subscriptions for MQTT: one connection takes everything (MQTT_SHARED=0). */
await describeExternalBroker({
  program: 'nats-server',
  isShared: false,
  connections: 1,
  config: ({ port, otherPort, folder }) => `
    server_name: telltale
    listen: "127.0.0.1:${otherPort}"
    jetstream { store_dir: ${JSON.stringify(folder)} }
    mqtt { host: "127.0.0.1", port: ${port} }`,
});
