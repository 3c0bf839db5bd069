import type { FullDataSource } from '@telltale/domain/data-sources/contract.ts';
import { Button } from 'antd';
import styles from './BuiltInSource.module.css';
import { useConnectionTest } from './useConnectionTest.ts';

/** Design 5 and 8: what a query finds in it. */
const views = [
  { name: 'app.channel', text: 'channels' },
  { name: 'app.device', text: 'devices of the channels' },
  { name: 'app.metric', text: 'every value a device has sent, one row each' },
  { name: 'app.metric_last', text: 'the last value of every attribute' },
  { name: 'app.uplink', text: 'messages as they came in' },
  { name: 'app.channel_…', text: 'one view per channel, with an attribute in each column' },
];

/** There is nothing to configure: the house keeps its address and its role. */
export function BuiltInSource({ source: { id, name } }: { source: FullDataSource }) {
  const { isTesting, testStored } = useConnectionTest();
  return (
    <div className={styles.about}>
      <p>
        What your devices send is kept in Telltale’s own database, and this data source reads it with PostgreSQL’s SQL. It came with
        Telltale, has nothing to configure and cannot be deleted.
      </p>
      <dl className={styles.views}>
        {views.map(({ name, text }) => (
          <div key={name} style={{ display: 'contents' }}>
            <dt>{name}</dt>
            <dd>{text}</dd>
          </div>
        ))}
      </dl>
      <p>Queries can only read, one statement at a time. Whoever runs them needs a group below and the permission to view channels.</p>
      <div>
        <Button loading={isTesting} onClick={() => void testStored(id, `${name} can be queried.`)}>
          Test Connection
        </Button>
      </div>
    </div>
  );
}
