import type { AlertKind } from '@telltale/domain/alerts/options.ts';
import styles from './Form.module.css';
import { templateVariables } from './templateVariables.ts';

/** The variables of a template; a click appends the name to the body. */
export function VariableList({ kind, onInsert }: { kind: AlertKind; onInsert: (name: string) => void }) {
  return (
    <details className={styles.guide}>
      <summary>Formatting guide</summary>
      <dl className={styles.variables}>
        {Object.entries(templateVariables(kind)).map(([name, meaning]) => (
          <div key={name}>
            <dt>
              <button type="button" title="Add to the body" onClick={() => onInsert(name)}>
                {`{{${name}}}`}
              </button>
            </dt>
            <dd>{meaning}</dd>
          </div>
        ))}
      </dl>
    </details>
  );
}
