import { describeExternalBroker } from '../testing/describe-external-broker.ts';

await describeExternalBroker({
  program: 'mosquitto',
  isShared: true,
  connections: 4,
  config: ({ port }) => `listener ${port} 127.0.0.1\nallow_anonymous true\npersistence false\nmax_queued_messages 0\n`,
});
