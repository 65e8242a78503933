import { Component, type ReactNode } from 'react';
import { t } from '../texts/text.ts';
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
        <h1>{t('ui.pageFailed')}</h1>
        <p>{t('ui.pageFailedHint')}</p>
        <Button kind="primary" onClick={() => location.reload()}>
          {t('ui.reloadPage')}
        </Button>
      </div>
    );
  }
}
