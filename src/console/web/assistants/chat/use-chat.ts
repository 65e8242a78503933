import { useCallback, useEffect, useRef, useState } from 'react';
import type { Fault } from '../../graph/fault.ts';
import { useViewer } from '../../session/session.tsx';
import { messagesFor, newTurn, type Turn, withEvents } from './conversation.ts';
import { RunError, runEvents } from './run-events.ts';
import { chatStorageKey, hasSavedTurns, loadTurns, saveTurns } from './saved-turns.ts';

export type Chat = ReturnType<typeof useChat>;

const broken: Fault = {
  code: 'INTERNAL',
  message: 'The answer could not be read. You can ask again.',
};

/**
 * The chat with one assistant: its turns, the question that is being written, and the file that
 * goes with each until it is taken away.
 */
export function useChat(assistantId: string) {
  const { person } = useViewer();
  const place = chatStorageKey(person.id, assistantId);
  const [turns, setTurns] = useState(() => loadTurns(place));
  const [file, setFile] = useState<File>();
  const [draft, setDraft] = useState('');
  const running = useRef<AbortController>(undefined);
  const stop = useCallback(() => running.current?.abort(), []);
  // Nobody reads what is answered to a page that was left, and it costs.
  useEffect(() => stop, [stop]);

  const ask = async (earlier: readonly Turn[], question: string) => {
    const controller = new AbortController();
    running.current = controller;
    let turn = newTurn(question, file);
    const show = (next: Turn) => {
      turn = next;
      if (running.current === controller) setTurns([...earlier, turn]);
    };
    show(turn);
    saveTurns(place, [...earlier, turn]);
    try {
      const asked = { assistantId, messages: messagesFor(earlier, question), file };
      for await (const events of runEvents(asked, controller.signal))
        show(withEvents(turn, events));
    } catch (error) {
      if (controller.signal.aborted) show({ ...turn, state: 'stopped' });
      else if (error instanceof RunError) show({ ...turn, state: 'refused', fault: error.fault });
      else {
        show({ ...turn, state: 'refused', fault: broken });
        throw error;
      }
    }
    // Whoever has begun anew or signed out meanwhile has cleared the place.
    if (running.current === controller && hasSavedTurns(place))
      saveTurns(place, [...earlier, turn]);
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
    /** Asks the last question once more. */
    retry: () => last && void ask(turns.slice(0, -1), last.question),
    clear: () => {
      stop();
      running.current = undefined;
      sessionStorage.removeItem(place);
      setTurns([]);
      setFile(undefined);
    },
  };
}
