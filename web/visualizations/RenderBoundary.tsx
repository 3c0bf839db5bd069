import { Component, type ReactNode } from 'react';
import styles from './Visualization.module.css';

interface RenderBoundaryProps {
  children: ReactNode;
  /** A change of one of these renders the picture again. */
  resetOn: readonly unknown[];
}

/** visualizations 0.2, rule 7: an error replaces this picture and nothing else. */
export class RenderBoundary extends Component<RenderBoundaryProps, { error: unknown }> {
  override state: { error: unknown } = { error: null };

  static getDerivedStateFromError(error: unknown) {
    return { error: error ?? new Error('Unknown error') };
  }

  override componentDidUpdate(before: RenderBoundaryProps) {
    const hasChanged = before.resetOn.some((value, at) => value !== this.props.resetOn[at]);
    if (this.state.error !== null && hasChanged) this.setState({ error: null });
  }

  override render() {
    const { error } = this.state;
    if (error === null) return this.props.children;
    return (
      <div className={styles.problem} role="alert">
        <p>Error while rendering visualization.</p>
        <details>
          <summary>Details</summary>
          <pre>{error instanceof Error ? error.message : String(error)}</pre>
        </details>
      </div>
    );
  }
}
