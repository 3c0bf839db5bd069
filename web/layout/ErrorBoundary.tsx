import { Component, type ReactNode } from 'react';
import { ErrorPanel } from './ErrorPanel.tsx';

interface ErrorBoundaryProps {
  children: ReactNode;
  /** Shown instead of the error panel; null for parts beside the page. */
  fallback?: ReactNode;
  /** A change of this value renders the failed part again. */
  resetOn?: unknown;
}

/** A failing part shows the error panel in its place; the rest of the page goes on. */
export class ErrorBoundary extends Component<ErrorBoundaryProps, { error: unknown }> {
  override state: { error: unknown } = { error: null };

  static getDerivedStateFromError(error: unknown) {
    return { error: error ?? new Error('Unknown error') };
  }

  override componentDidUpdate(before: ErrorBoundaryProps) {
    if (this.state.error !== null && before.resetOn !== this.props.resetOn) this.setState({ error: null });
  }

  override render() {
    const { children, fallback } = this.props;
    if (this.state.error === null) return children;
    return fallback === undefined ? <ErrorPanel error={this.state.error} /> : fallback;
  }
}
