import { Component, type ReactNode } from 'react';
import { Button } from './button.tsx';

/** Shows a message instead of a blank page when rendering fails. */
export class Boundary extends Component<{ children: ReactNode }, { hasFailed: boolean }> {
  override state = { hasFailed: false };

  static getDerivedStateFromError() {
    return { hasFailed: true };
  }

  override render() {
    if (!this.state.hasFailed) return this.props.children;
    return (
      <div className="alone" role="alert">
        <h1>This page failed to load</h1>
        <p>
          An error occurred, or a newer version of Atrium was installed. Your saved data are safe.
          Reload the page to continue.
        </p>
        <Button kind="primary" onClick={() => location.reload()}>
          Reload the page
        </Button>
      </div>
    );
  }
}
