import { lazy, Suspense } from 'react';
import { FormSkeleton } from '../../ui/FormSkeleton.tsx';

const DecoderTab = lazy(() => import('./DecoderTab.tsx'));

/** The tab of every kind of channel; its code is loaded when it is opened. */
export const LazyDecoderTab = ({ channelId }: { channelId: string }) => (
  <Suspense fallback={<FormSkeleton />}>
    <DecoderTab channelId={channelId} />
  </Suspense>
);
