import { Component, type ReactNode } from 'react';
import { ErrorPanel } from './ErrorPanel.tsx';

interface ErrorBoundaryProps {
  children: ReactNode;
  /** Instead of the error panel: nothing, for parts beside the page. */
  fallback?: ReactNode;
  /** When it changes, what broke gets another chance. */
  resetOn?: unknown;
}

/** What breaks shows the error panel in its place, and the rest goes on. */
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
