import { type RefObject, useCallback, useEffect, useRef, useState } from 'react';
import { Button } from '../../ui/button.tsx';
import { FaultNote, Loading, Notice } from '../../ui/status.tsx';
import { loadMarkdown } from './answer-text.tsx';
import { ChatIntroduction, type IntroducedAssistant } from './chat-introduction.tsx';
import { Composer } from './composer.tsx';
import type { BranchStep } from './question-view.tsx';
import { SourcePanel } from './source-panel.tsx';
import { answerTexts, spokenText } from './spoken-text.ts';
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
  const list = useRef<HTMLOListElement>(null);
  const announcement = useAnnouncement(chat, list);
  // If it cannot be loaded now, it is loaded with the first answer.
  useEffect(() => void loadMarkdown().catch(() => undefined), []);
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
  const focusBranch = useBranchFocus(list, turns);
  const onBranch = useCallback(
    (id: string, step: BranchStep) => {
      latestChat.current.showBranch(id);
      focusBranch(id, step);
    },
    [focusBranch],
  );

  return (
    <div className={openCitation ? 'assistants-chat assistants-chat-cited' : 'assistants-chat'}>
      <section className="assistants-talk" aria-label={t('chat.chatWith', { name })}>
        <FaultNote fault={chat.conversationFault} onRetry={chat.refetch} />
        {chat.isLoading && <Loading lines={6} />}
        {turns.length === 0 && !chat.isLoading && !chat.conversationFault && (
          <ChatIntroduction assistant={assistant} name={name} onAsk={chat.send} />
        )}
        <ol className="plain-list" ref={list}>
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

const renderMs = 100;

/**
 * The text for screen readers: an answer is announced when it is complete, not word by word, and as
 * it is shown, without the signs of its Markdown.
 */
function useAnnouncement(
  { turns, isRunning }: ChatState,
  list: RefObject<HTMLOListElement | null>,
): string {
  const [announcement, setAnnouncement] = useState('');
  const wasRunning = useRef(isRunning);
  const answerCount = useRef(0);
  const last = turns.at(-1);
  useEffect(() => {
    if (wasRunning.current && !isRunning && last && last.state !== 'failed') {
      answerCount.current += 1;
      const count = answerCount.current;
      const announce = () => {
        if (count !== answerCount.current) return;
        const shown = [...(list.current?.lastElementChild?.querySelectorAll(answerTexts) ?? [])];
        const spoken = shown.map(spokenText).join(' ');
        const stopped = last.state === 'stopped' ? t('chat.stopped') : '';
        setAnnouncement(`${spoken || answerTextOf(last)} ${stopped}`.trim());
      };
      // A short answer can be complete before the program that renders it has been loaded.
      const renderAndAnnounce = () => void setTimeout(announce, renderMs);
      void loadMarkdown().then(renderAndAnnounce, renderAndAnnounce);
    }
    if (isRunning) {
      answerCount.current += 1;
      setAnnouncement('');
    }
    wasRunning.current = isRunning;
  }, [isRunning, last, list]);
  return announcement;
}

/**
 * Another version of a question has other buttons, so the focus moves to the same button of the new
 * version: people go through many versions with one key.
 */
function useBranchFocus(list: RefObject<HTMLOListElement | null>, turns: readonly ChatTurn[]) {
  const pending = useRef<{ id: string; step: BranchStep }>(undefined);
  // biome-ignore lint/correctness/useExhaustiveDependencies: the buttons change with the turns
  useEffect(() => {
    if (!pending.current) return;
    const { id, step } = pending.current;
    const all = list.current?.querySelectorAll<HTMLElement>('[data-question]') ?? [];
    const versions = [...all].find(({ dataset }) => dataset['question'] === id);
    if (!versions) return;
    pending.current = undefined;
    // The first and the last version have only one of the two buttons enabled.
    const wanted = versions.querySelector<HTMLElement>(`[data-step="${step}"]:enabled`);
    (wanted ?? versions.querySelector<HTMLElement>('button:enabled'))?.focus();
  }, [turns, list]);
  return useCallback((id: string, step: BranchStep) => {
    pending.current = { id, step };
  }, []);
}
