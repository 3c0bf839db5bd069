import type { FullDataSource } from '@telltale/domain/data-sources/contract.ts';
import type { Dialect } from '@telltale/domain/sql/dialect.ts';
import { Button } from 'antd';
import styles from './BuiltInSource.module.css';
import { useConnectionTest } from './useConnectionTest.ts';

/** Design 5 and 8: the views of the built-in source. */
const shared = [
  { name: 'app.channel', text: 'channels' },
  { name: 'app.device', text: 'devices of the channels' },
  { name: 'app.metric', text: 'every value a device has sent, one row each' },
  { name: 'app.metric_last', text: 'the last value of every attribute' },
];
/** Where readings are kept, by the dialect that the source speaks. */
const stores: Partial<Record<Dialect, { place: string; language: string; views: typeof shared }>> = {
  clickhouse: { place: 'in ClickHouse', language: 'ClickHouse’s SQL', views: shared },
};
const ownStore = {
  place: 'in Telltale’s own database',
  language: 'PostgreSQL’s SQL',
  views: [
    ...shared,
    { name: 'app.uplink', text: 'messages as they came in' },
    { name: 'app.channel_…', text: 'one view per channel, with an attribute in each column' },
  ],
};

/** There is nothing to configure: Telltale manages its address and role. */
export function BuiltInSource({ source: { id, name, dialect } }: { source: FullDataSource }) {
  const { place, language, views } = stores[dialect] ?? ownStore;
  const { isTesting, testStored } = useConnectionTest();
  return (
    <div className={styles.about}>
      <p>
        What your devices send is kept {place}, and this data source reads it with {language}. It came with Telltale, has nothing to
        configure and cannot be deleted.
      </p>
      <dl className={styles.views}>
        {views.map(({ name, text }) => (
          <div key={name} style={{ display: 'contents' }}>
            <dt>{name}</dt>
            <dd>{text}</dd>
          </div>
        ))}
      </dl>
      <p>Queries can only read, one statement at a time. Users need access through a group below, and the permission to view channels.</p>
      <div>
        <Button loading={isTesting} onClick={() => void testStored(id, `${name} can be queried.`)}>
          Test Connection
        </Button>
      </div>
    </div>
  );
}
