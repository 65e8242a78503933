import { useCallback, useEffect, useRef, useState } from 'react';
import type { ApiFault } from '../../graph/fault.ts';
import { useViewer } from '../../session/session.tsx';
import { applyEvents, type ChatTurn, messagesFor, newTurn } from './conversation.ts';
import { RunError, runEvents } from './run-events.ts';
import { chatStorageKey, hasSavedTurns, loadTurns, saveTurns } from './saved-turns.ts';

export type ChatState = ReturnType<typeof useChat>;

const unreadableAnswer: ApiFault = {
  code: 'INTERNAL',
  message: 'The answer could not be read. Ask again.',
};

/**
 * The chat with one assistant: its turns, the draft of the next question, and the attached file,
 * which is sent with each question until it is removed.
 */
export function useChat(assistantId: string) {
  const { person } = useViewer();
  const storageKey = chatStorageKey(person.id, assistantId);
  const [turns, setTurns] = useState(() => loadTurns(storageKey));
  const [file, setFile] = useState<File>();
  const [draft, setDraft] = useState('');
  const runningRequest = useRef<AbortController>(undefined);
  const stop = useCallback(() => runningRequest.current?.abort(), []);
  // Stops the run when the page is left: nobody would read the answer, and it costs money.
  useEffect(() => stop, [stop]);

  const ask = async (previousTurns: readonly ChatTurn[], question: string) => {
    const controller = new AbortController();
    runningRequest.current = controller;
    let turn = newTurn(question, file);
    const show = (next: ChatTurn) => {
      turn = next;
      if (runningRequest.current === controller) setTurns([...previousTurns, turn]);
    };
    show(turn);
    saveTurns(storageKey, [...previousTurns, turn]);
    try {
      const runInput = { assistantId, messages: messagesFor(previousTurns, question), file };
      for await (const events of runEvents(runInput, controller.signal))
        show(applyEvents(turn, events));
    } catch (error) {
      if (controller.signal.aborted) show({ ...turn, state: 'stopped' });
      else if (error instanceof RunError) show({ ...turn, state: 'refused', fault: error.fault });
      else {
        show({ ...turn, state: 'refused', fault: unreadableAnswer });
        throw error;
      }
    }
    // A new chat or a sign-out deletes the saved turns; they must not be saved again after that.
    if (runningRequest.current === controller && hasSavedTurns(storageKey))
      saveTurns(storageKey, [...previousTurns, turn]);
  };

  const last = turns.at(-1);
  return {
    turns,
    draft,
    setDraft,
    file,
    setFile,
    stop,
    isRunning: last?.state === 'running',
    send: (question: string) => void ask(turns, question),
    /** Asks the last question again. */
    retry: () => last && void ask(turns.slice(0, -1), last.question),
    clear: () => {
      stop();
      runningRequest.current = undefined;
      sessionStorage.removeItem(storageKey);
      setTurns([]);
      setFile(undefined);
    },
  };
}
