import type { FullDataSource } from '@telltale/domain/data-sources/contract.ts';
import { Button } from 'antd';
import { lazy, Suspense, useState } from 'react';
import { useResumeDataSource } from './useDataSources.ts';

const PauseDialog = lazy(() => import('./PauseDialog.tsx'));

/** Pausing asks for a reason, resuming acts at once. */
export function PauseButton({ source }: { source: FullDataSource }) {
  const resume = useResumeDataSource();
  const [isAsking, setAsking] = useState(false);
  return (
    <>
      {source.paused ? (
        <Button loading={resume.isPending} onClick={() => resume.mutate({ params: { id: source.id } })}>
          Resume
        </Button>
      ) : (
        <Button onClick={() => setAsking(true)}>Pause</Button>
      )}
      {isAsking && (
        <Suspense>
          <PauseDialog source={source} onClose={() => setAsking(false)} />
        </Suspense>
      )}
    </>
  );
}
