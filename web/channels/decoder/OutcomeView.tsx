import type { DecoderOutcome } from '@telltale/domain/decoders/contract.ts';
import { StateLabel } from '../../ui/StateLabel.tsx';
import styles from './Decoder.module.css';

interface OutcomeViewProps {
  outcome: DecoderOutcome & { bytes?: string | null; f_port?: number | null };
}

/** The result of a script for some bytes, or for an object. */
export function OutcomeView({ outcome: { data, warnings, errors, log, ms, bytes, f_port } }: OutcomeViewProps) {
  return (
    <div className={styles.outcome} role="status" aria-label="Result">
      <p className={styles.figure}>
        <StateLabel tone={errors.length > 0 ? 'danger' : warnings.length > 0 ? 'warning' : 'ok'}>
          {errors.length > 0 ? 'Failed' : 'Decoded'}
        </StateLabel>
        <span>{ms.toFixed(ms < 10 ? 2 : 0)} ms</span>
      </p>
      <Lines title="Errors" lines={errors} />
      <Lines title="Warnings" lines={warnings} />
      {bytes ? (
        <div>
          <h3>Bytes{f_port ? `, fPort ${f_port}` : ''}</h3>
          <pre>{bytes.replace(/../g, '$& ').trim()}</pre>
        </div>
      ) : (
        errors.length === 0 && (
          <div>
            <h3>Data</h3>
            <pre>{JSON.stringify(data, null, 2)}</pre>
          </div>
        )
      )}
      <Lines title="Log" lines={log} />
    </div>
  );
}

function Lines({ title, lines }: { title: string; lines: readonly string[] }) {
  if (lines.length === 0) return null;
  return (
    <div>
      <h3>{title}</h3>
      <pre>{lines.join('\n')}</pre>
    </div>
  );
}
