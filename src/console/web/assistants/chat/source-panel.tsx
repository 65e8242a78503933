import { useLayoutEffect, useRef } from 'react';
import { Button } from '../../ui/button.tsx';
import { Dialog } from '../../ui/dialog.tsx';
import { Icon } from '../../ui/icon.tsx';
import { formatCitation } from './answer-text.tsx';
import './source.css';
import type { Citation } from './conversation.ts';
import { SourceText } from './source-text.tsx';
import { useIsNarrow } from './use-narrow.ts';

type SourcePanelProps = { assistantId: string; citation: Citation; onClose: () => void };

/** Shows a citation in its file: beside the chat on wide screens, in a dialog on narrow ones. */
export function SourcePanel({ assistantId, citation, onClose }: SourcePanelProps) {
  const isNarrow = useIsNarrow();
  const title = `Source ${citation.marker}: ${formatCitation(citation)}`;
  if (isNarrow) {
    return (
      <Dialog title={title} open onClose={onClose} wide>
        <SourceText assistantId={assistantId} citation={citation} />
      </Dialog>
    );
  }
  return (
    <SidePanel title={title} onClose={onClose}>
      <SourceText assistantId={assistantId} citation={citation} />
    </SidePanel>
  );
}

function SidePanel({
  title,
  onClose,
  children,
}: {
  title: string;
  onClose: () => void;
  children: React.ReactNode;
}) {
  const heading = useRef<HTMLHeadingElement>(null);
  const panel = useRef<HTMLElement>(null);
  // The panel takes the focus, and gives it back when it closes, unless the person has moved it.
  useLayoutEffect(() => {
    const previousFocus = document.activeElement;
    const panelElement = panel.current;
    heading.current?.focus();
    return () => {
      if (
        panelElement?.contains(document.activeElement) &&
        previousFocus instanceof HTMLElement &&
        previousFocus.isConnected
      )
        previousFocus.focus();
    };
  }, []);
  return (
    <aside
      ref={panel}
      className="assistants-source"
      aria-label="Source"
      onKeyDown={(event) => {
        if (event.key === 'Escape') onClose();
      }}
    >
      <header className="dialog-head">
        <h2 ref={heading} tabIndex={-1}>
          {title}
        </h2>
        <Button kind="quiet" onClick={onClose}>
          <Icon name="close" />
          <span className="sr-only">Close</span>
        </Button>
      </header>
      {children}
    </aside>
  );
}
