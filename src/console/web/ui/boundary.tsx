import { Component, type ReactNode } from 'react';
import { Button } from './button.tsx';

/** Where a page breaks, it says so instead of going blank. */
export class Boundary extends Component<{ children: ReactNode }, { broken: boolean }> {
  override state = { broken: false };

  static getDerivedStateFromError() {
    return { broken: true };
  }

  override render() {
    if (!this.state.broken) return this.props.children;
    return (
      <div className="alone" role="alert">
        <h1>This page broke</h1>
        <p>
          Something in it went wrong, or a newer version of it was put in place. Nothing that you
          saved is lost.
        </p>
        <Button kind="primary" onClick={() => location.reload()}>
          Load it again
        </Button>
      </div>
    );
  }
}
