import type { FullDestination } from '@telltale/domain/destinations/contract.ts';
import { Link, useParams } from 'react-router';
import { TestConnection } from '../data-sources/TestConnection.tsx';
import { NotFoundPanel } from '../layout/ErrorPanel.tsx';
import { SettingsFrame } from '../layout/SettingsFrame.tsx';
import { useTitle } from '../layout/useTitle.ts';
import { ErrorState } from '../ui/ErrorState.tsx';
import { FormSkeleton } from '../ui/FormSkeleton.tsx';
import { KindForm } from '../ui/KindForm.tsx';
import { MailWarning } from '../ui/MailWarning.tsx';
import { PageHeader } from '../ui/PageHeader.tsx';
import { PictureTitle } from '../ui/PictureTitle.tsx';
import { DeleteDestinationButton } from './DeleteDestinationButton.tsx';
import { DeliveryLog } from './DeliveryLog.tsx';
import { DestinationMark } from './DestinationMark.tsx';
import styles from './DestinationPage.module.css';
import { destinationTest } from './destinationTest.ts';
import { useDestination, useDestinationDeliveries, useDestinationTypes, useSaveDestination, useTypeName } from './useDestinations.ts';

/** /destinations/:destinationId and /destination/:destinationId */
export function DestinationPage() {
  const id = Number(useParams().destinationId);
  return Number.isSafeInteger(id) && id > 0 ? <StoredDestination id={id} /> : <NotFoundPanel />;
}

function StoredDestination({ id }: { id: number }) {
  const { data: destination, error, refetch } = useDestination(id);
  useTitle(destination?.name);
  return (
    <SettingsFrame>
      {error && !destination && <ErrorState error={error} onRetry={refetch} action={<Link to="/destinations">Alert Destinations</Link>} />}
      {!error && !destination && (
        <div className={styles.form}>
          <FormSkeleton rows={4} />
        </div>
      )}
      {destination && <DestinationView key={destination.id} destination={destination} />}
    </SettingsFrame>
  );
}

function DestinationView({ destination }: { destination: FullDestination }) {
  const { id, name, type } = destination;
  const save = useSaveDestination();
  const types = useDestinationTypes();
  const typeName = useTypeName()(type);
  return (
    <div className={styles.page}>
      <div className={styles.form}>
        <PageHeader
          level={2}
          above={<Link to="/destinations">Alert Destinations</Link>}
          title={<PictureTitle picture={<DestinationMark type={type} typeName={typeName} size={40} />} name={name} below={typeName} />}
          action={<DeleteDestinationButton destination={destination} />}
        />
        {type === 'email' && <MailWarning feature="alert emails" />}
        <KindForm
          what="destination"
          item={destination}
          kinds={types}
          onSave={(body) => save.mutateAsync({ params: { id }, body })}
          tools={(open) => <TestConnection type={type} id={id} subject={destinationTest} {...open} />}
        />
      </div>
      <DeliveryLog deliveries={useDestinationDeliveries(id)} empty="Nothing was sent to this destination yet." />
    </div>
  );
}
