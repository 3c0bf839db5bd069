import type { LiveOptions } from '@telltale/domain/dashboards/options.ts';
import { Suspense, useState } from 'react';
import { useSession } from '../../api/session.ts';
import { liveType } from '../../grid/widgetPosition.ts';
import { Dialog } from '../../ui/Dialog.tsx';
import { FormSkeleton } from '../../ui/FormSkeleton.tsx';
import { findVisualization } from '../../visualizations/index.ts';
import { resultTable } from '../../visualizations/resultTable.ts';

const noTable = resultTable({ columns: [], rows: [] });

interface LiveUplinksDialogProps {
  live: LiveOptions | undefined;
  onSave: (live: LiveOptions) => Promise<unknown>;
  onClose: () => void;
}

/** The devices of a live widget, and how it shows them. */
export default function LiveUplinksDialog({ live, onSave, onClose }: LiveUplinksDialogProps) {
  const { client_config } = useSession();
  const [options, setOptions] = useState<LiveOptions>(live ?? { channelid: '', device_ids: [] });
  const { channelid, device_ids } = options;
  const edited = findVisualization(liveType)?.edit?.({
    table: noTable,
    name: '',
    settings: client_config,
    options,
    onOptionsChange: (changes) => setOptions((before) => ({ ...before, ...changes })),
  });
  return (
    <Dialog
      title="Edit Live Uplinks"
      okText="Save"
      isOkDisabled={!channelid || device_ids.length === 0}
      onOk={() => onSave(options)}
      onClose={onClose}
      width={560}
    >
      <Suspense fallback={<FormSkeleton rows={4} />}>{edited}</Suspense>
    </Dialog>
  );
}
