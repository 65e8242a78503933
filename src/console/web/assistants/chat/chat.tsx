import { useCallback, useEffect, useRef, useState } from 'react';
import { Button, LinkButton } from '../../ui/button.tsx';
import { EmptyState } from '../../ui/status.tsx';
import type { AssistantFieldsFragment } from '../documents.ts';
import { loadMarkdown } from './answer-text.tsx';
import { Composer } from './composer.tsx';
import { answerTextOf, type Citation } from './conversation.ts';
import { SourcePanel } from './source-panel.tsx';
import { TurnView } from './turn-view.tsx';
import type { ChatState } from './use-chat.ts';
import { useFollowEnd } from './use-follow-end.ts';
import './chat.css';

export function Chat({
  assistant: { id, name },
  chat,
}: {
  assistant: AssistantFieldsFragment;
  chat: ChatState;
}) {
  const { turns } = chat;
  const end = useRef<HTMLDivElement>(null);
  const { isAtEnd, goToEnd } = useFollowEnd(end, turns);
  const [openCitation, setOpenCitation] = useState<Citation>();
  const close = useCallback(() => setOpenCitation(undefined), []);
  const announcement = useAnnouncement(chat);
  useEffect(() => void loadMarkdown(), []);
  // The callbacks of finished turns never change, so that they do not re-render with every word of
  // the running turn.
  const retry = useRef(chat.retry);
  useEffect(() => {
    retry.current = chat.retry;
  });
  // The retry and new-chat buttons disappear when pressed, so the focus moves to the input.
  const textArea = useRef<HTMLTextAreaElement>(null);
  const onRetry = useCallback(() => {
    retry.current();
    textArea.current?.focus();
  }, []);
  const onClear = () => {
    close();
    chat.clear();
    textArea.current?.focus();
  };

  return (
    <div className={openCitation ? 'assistants-chat assistants-chat-cited' : 'assistants-chat'}>
      <section className="assistants-talk" aria-label={`Chat with ${name}`}>
        {turns.length === 0 ? (
          <EmptyState
            title={`Ask ${name}`}
            action={<LinkButton href="/files">Show files</LinkButton>}
          >
            It answers from its files and cites its sources. The chat is kept in this tab until you
            close it or sign out.
          </EmptyState>
        ) : (
          <>
            <div className="assistants-talk-head">
              <Button icon="plus" onClick={onClear}>
                New chat
              </Button>
            </div>
            <ol className="plain-list">
              {turns.map((turn, index) => (
                <TurnView
                  key={turn.id}
                  turn={turn}
                  name={name}
                  isLast={index === turns.length - 1}
                  onCite={setOpenCitation}
                  onRetry={onRetry}
                />
              ))}
            </ol>
          </>
        )}
        <div className="sr-only" role="status">
          {announcement}
        </div>
        <div className="assistants-bottom">
          {!isAtEnd && turns.length > 0 && (
            <Button className="assistants-to-end" onClick={goToEnd}>
              Scroll to end
            </Button>
          )}
          <Composer name={name} chat={chat} textArea={textArea} onSend={goToEnd} />
        </div>
        <div ref={end} />
      </section>
      {openCitation && (
        <SourcePanel
          key={`${openCitation.documentId} ${openCitation.marker} ${openCitation.start}`}
          assistantId={id}
          citation={openCitation}
          onClose={close}
        />
      )}
    </div>
  );
}

/** The text for screen readers: an answer is announced when it is complete, not word by word. */
function useAnnouncement({ turns, isRunning }: ChatState): string {
  const [announcement, setAnnouncement] = useState('');
  const wasRunning = useRef(isRunning);
  const last = turns.at(-1);
  useEffect(() => {
    if (wasRunning.current && !isRunning && last && last.state !== 'refused')
      setAnnouncement(answerTextOf(last) || 'Stopped');
    if (isRunning) setAnnouncement('');
    wasRunning.current = isRunning;
  }, [isRunning, last]);
  return announcement;
}
