import { useCallback, useEffect, useRef, useState } from 'react';
import { Button } from '../../ui/button.tsx';
import { EmptyState } from '../../ui/empty-state.tsx';
import { Icon } from '../../ui/icon.tsx';
import { LinkButton } from '../../ui/link-button.tsx';
import type { AssistantPartsFragment } from '../documents.ts';
import { loadMarkdown } from './answer-text.tsx';
import './chat.css';
import { Composer } from './composer.tsx';
import { type Citation, textOf } from './conversation.ts';
import { SourcePanel } from './source-panel.tsx';
import { TurnView } from './turn-view.tsx';
import type { Chat as ChatState } from './use-chat.ts';
import { useFollowEnd } from './use-follow-end.ts';

export function Chat({
  assistant: { id, name },
  chat,
}: {
  assistant: AssistantPartsFragment;
  chat: ChatState;
}) {
  const { turns } = chat;
  const end = useRef<HTMLDivElement>(null);
  const { isAtEnd, goToEnd } = useFollowEnd(end, turns);
  const [cited, setCited] = useState<Citation>();
  const close = useCallback(() => setCited(undefined), []);
  const finished = useFinished(chat);
  useEffect(() => void loadMarkdown(), []);
  // Turns that have ended keep their handlers, so that they are not drawn again with each word of
  // the next one.
  const retry = useRef(chat.retry);
  useEffect(() => {
    retry.current = chat.retry;
  });
  // What is pressed to ask again or to begin anew is gone then; the focus goes to where the next
  // question is written.
  const area = useRef<HTMLTextAreaElement>(null);
  const onRetry = useCallback(() => {
    retry.current();
    area.current?.focus();
  }, []);
  const onClear = () => {
    close();
    chat.clear();
    area.current?.focus();
  };

  return (
    <div className={cited ? 'assistants-chat assistants-chat-cited' : 'assistants-chat'}>
      <section className="assistants-talk" aria-label={`Chat with ${name}`}>
        {turns.length === 0 ? (
          <EmptyState
            title={`Ask ${name}`}
            action={<LinkButton href="/files">See its files</LinkButton>}
          >
            It answers from its files and shows you where each statement stands. The chat stays in
            this tab until you sign out.
          </EmptyState>
        ) : (
          <>
            <div className="assistants-talk-head">
              <Button onClick={onClear}>
                <Icon name="plus" /> New chat
              </Button>
            </div>
            <ol className="assistants-turns">
              {turns.map((turn, index) => (
                <TurnView
                  key={turn.id}
                  turn={turn}
                  name={name}
                  isLast={index === turns.length - 1}
                  onCite={setCited}
                  onRetry={onRetry}
                />
              ))}
            </ol>
          </>
        )}
        <div className="sr-only" role="status">
          {finished}
        </div>
        <div className="assistants-bottom">
          {!isAtEnd && turns.length > 0 && (
            <Button className="assistants-to-end" onClick={goToEnd}>
              To the newest
            </Button>
          )}
          <Composer name={name} chat={chat} area={area} onSend={goToEnd} />
        </div>
        <div ref={end} className="assistants-end" />
      </section>
      {cited && (
        <SourcePanel
          key={`${cited.documentId} ${cited.marker} ${cited.start}`}
          assistantId={id}
          citation={cited}
          onClose={close}
        />
      )}
    </div>
  );
}

/** What is read out: an answer when it has ended, and not word by word. */
function useFinished({ turns, isRunning }: ChatState): string {
  const [finished, setFinished] = useState('');
  const wasRunning = useRef(isRunning);
  const last = turns.at(-1);
  useEffect(() => {
    if (wasRunning.current && !isRunning && last && last.state !== 'refused')
      setFinished(textOf(last) || 'Stopped');
    if (isRunning) setFinished('');
    wasRunning.current = isRunning;
  }, [isRunning, last]);
  return finished;
}
