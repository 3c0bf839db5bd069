import { Component, type ReactNode } from 'react';
import { ErrorPanel } from './ErrorPanel.tsx';

/** A page that breaks shows the error panel in its place. Give it a key: a new page starts whole. */
export class ErrorBoundary extends Component<{ children: ReactNode }, { error: unknown }> {
  override state: { error: unknown } = { error: null };

  static getDerivedStateFromError(error: unknown) {
    return { error: error ?? new Error('Unknown error') };
  }

  override render() {
    return this.state.error === null ? this.props.children : <ErrorPanel error={this.state.error} />;
  }
}
