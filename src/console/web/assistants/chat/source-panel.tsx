import { useLayoutEffect, useRef } from 'react';
import { Button } from '../../ui/button.tsx';
import { Dialog } from '../../ui/dialog.tsx';
import { Icon } from '../../ui/icon.tsx';
import { placeOf } from './answer-text.tsx';
import './source.css';
import type { Citation } from './conversation.ts';
import { SourceText } from './source-text.tsx';
import { useNarrow } from './use-narrow.ts';

type SourcePanelProps = { assistantId: string; citation: Citation; onClose: () => void };

/** A citation in its file: beside the chat, or over it where there is no room. */
export function SourcePanel({ assistantId, citation, onClose }: SourcePanelProps) {
  const isNarrow = useNarrow();
  const title = `Source ${citation.marker}: ${placeOf(citation)}`;
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
  // The focus goes along, and back to where it came from, unless it has left by itself.
  useLayoutEffect(() => {
    const before = document.activeElement;
    const left = panel.current;
    heading.current?.focus();
    return () => {
      if (
        left?.contains(document.activeElement) &&
        before instanceof HTMLElement &&
        before.isConnected
      )
        before.focus();
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
