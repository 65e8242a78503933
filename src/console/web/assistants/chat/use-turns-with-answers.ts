import { useRef } from 'react';
import type { ChatTurn } from './turn.ts';
import type { LiveAnswers } from './use-live-answers.ts';

/** The turns with the answers of their runs. A turn that did not change stays the same object. */
export function useTurnsWithAnswers(turns: readonly ChatTurn[], answers: LiveAnswers): ChatTurn[] {
  const merged = useRef(new WeakMap<ChatTurn, { answer: object; turn: ChatTurn }>());
  return turns.map((turn) => {
    const answer = answers[turn.runId ?? ''];
    if (!answer || (turn.state !== 'running' && answer.state === 'running')) return turn;
    const known = merged.current.get(turn);
    if (known?.answer === answer) return known.turn;
    const { stepStarts: _, ...shownAnswer } = answer;
    const next = { ...turn, ...shownAnswer };
    merged.current.set(turn, { answer, turn: next });
    return next;
  });
}
