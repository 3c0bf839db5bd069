import type { Visualization } from '@telltale/domain/visualizations/contract.ts';
import { Alert, Checkbox, InputNumber } from 'antd';
import { useId, useState } from 'react';
import { CopyField } from '../../ui/CopyField.tsx';
import { Dialog } from '../../ui/Dialog.tsx';
import { type EmbedFlag, embedAddress, iframeText, usualSize } from '../embedFlags.ts';
import type { EditedQuery } from '../useEditedQuery.ts';
import styles from './Dialogs.module.css';

const unsafe = 'Currently it is not possible to embed queries that contain text parameters.';

const parts: { flag: EmbedFlag; label: string; isShownWithout: boolean }[] = [
  { flag: 'hide_header', label: 'Title', isShownWithout: true },
  { flag: 'showDescription', label: 'Description', isShownWithout: false },
  { flag: 'hide_parameters', label: 'Parameters', isShownWithout: true },
  { flag: 'hide_timestamp', label: 'Result time', isShownWithout: true },
  { flag: 'hide_link', label: 'Link and downloads', isShownWithout: true },
];

interface EmbedDialogProps {
  edited: EditedQuery;
  visualization: Visualization;
  /** The values of the parameters as in the address. */
  values: string;
  onClose: () => void;
}

/** Screens 7: the visualization for readers without an account, as an address and as a frame of another page. */
export default function EmbedDialog({ edited: { saved }, visualization, values, onClose }: EmbedDialogProps) {
  const id = useId();
  const [shown, setShown] = useState<readonly EmbedFlag[]>(parts.filter((part) => part.isShownWithout).map(({ flag }) => flag));
  const [hasSize, setHasSize] = useState(false);
  const [size, setSize] = useState(usualSize);
  if (!saved?.api_key) return null;
  const flags = parts.filter(({ flag, isShownWithout }) => shown.includes(flag) !== isShownWithout).map(({ flag }) => flag);
  const address = embedAddress({
    origin: location.origin,
    queryId: saved.id,
    visualizationId: visualization.id,
    apiKey: saved.api_key,
    values,
    flags,
  });
  const side = (name: 'width' | 'height', label: string) => (
    <label className={styles.row} htmlFor={`${id}-${name}`}>
      {label}
      <InputNumber
        id={`${id}-${name}`}
        min={50}
        max={10_000}
        precision={0}
        disabled={!hasSize}
        value={size[name]}
        onChange={(value) => setSize({ ...size, [name]: value ?? usualSize[name] })}
      />
    </label>
  );
  return (
    <Dialog title="Embed Query" width={600} okText="Close" hasCancel={false} onClose={onClose} closesOnMask>
      {saved.is_safe ? (
        <div className={styles.stack}>
          <span>
            People with this address see “{visualization.name}” without an account. The API key of the query is part of it: regenerating the
            key ends it.
          </span>
          <strong>Public URL</strong>
          <CopyField label="Public URL" value={address} />
          <strong>IFrame Embed</strong>
          <CopyField label="IFrame Embed" value={iframeText(address, hasSize ? size : usualSize)} />
          <div className={styles.row}>
            <Checkbox checked={hasSize} onChange={({ target }) => setHasSize(target.checked)}>
              Custom size
            </Checkbox>
            {side('width', 'Width')}
            {side('height', 'Height')}
          </div>
          <strong id={`${id}-parts`}>Show</strong>
          <Checkbox.Group
            aria-labelledby={`${id}-parts`}
            options={parts.map(({ flag, label }) => ({ value: flag, label }))}
            value={[...shown]}
            onChange={(next) => setShown(next as EmbedFlag[])}
          />
        </div>
      ) : (
        <Alert type="error" showIcon title={unsafe} />
      )}
    </Dialog>
  );
}
