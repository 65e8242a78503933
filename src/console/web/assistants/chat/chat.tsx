import { useCallback, useEffect, useRef, useState } from 'react';
import { Button } from '../../ui/button.tsx';
import { FaultNote, Loading, Notice } from '../../ui/status.tsx';
import { loadMarkdown } from './answer-text.tsx';
import { ChatIntroduction, type IntroducedAssistant } from './chat-introduction.tsx';
import { Composer } from './composer.tsx';
import { SourcePanel } from './source-panel.tsx';
import { answerTextOf, type ChatTurn, type Citation } from './turn.ts';
import { TurnView } from './turn-view.tsx';
import type { ChatState } from './use-chat.ts';
import { useFollowEnd } from './use-follow-end.ts';
import './chat.css';
import { t } from '../../texts/text.ts';

type ChatProps = {
  assistantId: string;
  /** The name of the assistant. */
  name: string;
  /** Absent: it was deleted, or is no longer shared with the person. */
  assistant: IntroducedAssistant | undefined;
  /** Whether the person may ask; otherwise the conversation is only shown. */
  canAsk: boolean;
  chat: ChatState;
};

export function Chat({ assistantId, name, assistant, canAsk, chat }: ChatProps) {
  const { turns, isRunning, stop } = chat;
  const end = useRef<HTMLDivElement>(null);
  const { isAtEnd, goToEnd } = useFollowEnd(end, turns);
  const [openCitation, setOpenCitation] = useState<Citation>();
  const close = useCallback(() => setOpenCitation(undefined), []);
  const announcement = useAnnouncement(chat);
  useEffect(() => void loadMarkdown(), []);
  useStopByEscape(isRunning, stop);
  // The callbacks of finished turns never change, so that they do not re-render with every word of
  // the running turn.
  const latestChat = useRef(chat);
  useEffect(() => {
    latestChat.current = chat;
  });
  // The button that was pressed disappears, so the focus moves to the input.
  const textArea = useRef<HTMLTextAreaElement>(null);
  const onAsk = useCallback((turn: ChatTurn, question: string) => {
    void latestChat.current.askInstead(turn, question);
    textArea.current?.focus();
  }, []);
  const onBranch = useCallback((id: string) => latestChat.current.showBranch(id), []);

  return (
    <div className={openCitation ? 'assistants-chat assistants-chat-cited' : 'assistants-chat'}>
      <section className="assistants-talk" aria-label={t('chat.chatWith', { name })}>
        <FaultNote fault={chat.conversationFault} />
        {chat.isLoading && <Loading lines={6} />}
        {turns.length === 0 && !chat.isLoading && !chat.conversationFault && (
          <ChatIntroduction assistant={assistant} name={name} onAsk={chat.send} />
        )}
        <ol className="plain-list">
          {turns.map((turn) => (
            <TurnView
              key={turn.runId ?? turn.id}
              turn={turn}
              name={name}
              canAsk={canAsk && !isRunning}
              onCite={setOpenCitation}
              onAsk={onAsk}
              onBranch={onBranch}
            />
          ))}
        </ol>
        {chat.isInterrupted && <Notice tone="busy">{t('chat.reconnecting')}</Notice>}
        <div className="sr-only" role="status">
          {announcement}
        </div>
        <div className="assistants-bottom">
          {!isAtEnd && turns.length > 0 && (
            <Button className="assistants-to-end" onClick={goToEnd}>
              {t('chat.scrollToEnd')}
            </Button>
          )}
          {canAsk ? (
            !chat.conversationFault && (
              <Composer name={name} chat={chat} textArea={textArea} onSend={goToEnd} />
            )
          ) : (
            <Notice>{t('chat.assistantGone')}</Notice>
          )}
        </div>
        <div ref={end} />
      </section>
      {openCitation && (
        <SourcePanel
          key={`${openCitation.documentId} ${openCitation.marker} ${openCitation.start}`}
          assistantId={assistantId}
          citation={openCitation}
          onClose={close}
        />
      )}
    </div>
  );
}

/** Escape stops the answer, unless it closes something that is open above the page. */
function useStopByEscape(isRunning: boolean, stop: () => void): void {
  const latestStop = useRef(stop);
  useEffect(() => {
    latestStop.current = stop;
  });
  useEffect(() => {
    if (!isRunning) return undefined;
    const onKeyDown = (event: KeyboardEvent) => {
      if (event.key !== 'Escape' || event.defaultPrevented) return;
      if (document.querySelector('dialog[open], [popover]:popover-open') !== null) return;
      if (event.target instanceof Element && event.target.closest('.assistants-source')) return;
      event.preventDefault();
      latestStop.current();
    };
    addEventListener('keydown', onKeyDown);
    return () => removeEventListener('keydown', onKeyDown);
  }, [isRunning]);
}

/** The text for screen readers: an answer is announced when it is complete, not word by word. */
function useAnnouncement({ turns, isRunning }: ChatState): string {
  const [announcement, setAnnouncement] = useState('');
  const wasRunning = useRef(isRunning);
  const last = turns.at(-1);
  useEffect(() => {
    if (wasRunning.current && !isRunning && last && last.state !== 'failed')
      setAnnouncement(answerTextOf(last) || t('chat.stopped'));
    if (isRunning) setAnnouncement('');
    wasRunning.current = isRunning;
  }, [isRunning, last]);
  return announcement;
}
