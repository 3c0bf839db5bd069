import { Component, type ReactNode } from 'react';
import { ErrorPanel } from './ErrorPanel.tsx';

interface ErrorBoundaryProps {
  children: ReactNode;
  /** Instead of the error panel: nothing, for parts beside the page. */
  fallback?: ReactNode;
}

/** What breaks shows the error panel in its place, and the rest goes on. Give it a key: a new page starts whole. */
export class ErrorBoundary extends Component<ErrorBoundaryProps, { error: unknown }> {
  override state: { error: unknown } = { error: null };

  static getDerivedStateFromError(error: unknown) {
    return { error: error ?? new Error('Unknown error') };
  }

  override render() {
    const { children, fallback } = this.props;
    if (this.state.error === null) return children;
    return fallback === undefined ? <ErrorPanel error={this.state.error} /> : fallback;
  }
}
