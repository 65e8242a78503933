import type { Turn } from './conversation.ts';

/** Where a chat is kept: in this tab only, until it is closed or the person signs out. */
export const chatStorageKey = (personId: string, assistantId: string): string =>
  `atrium.chat.1.${personId}.${assistantId}`;

/** What was under way when the page was left has ended with it. */
export function loadTurns(place: string): Turn[] {
  const text = sessionStorage.getItem(place);
  if (text === null) return [];
  const turns: Turn[] = JSON.parse(text);
  return turns.map((turn) => (turn.state === 'running' ? { ...turn, state: 'stopped' } : turn));
}

/** Keeps what fits: a tab holds a few megabytes, and the newest turns count. */
export function saveTurns(place: string, turns: readonly Turn[]): void {
  for (let kept = turns; kept.length > 0; kept = kept.slice(1)) {
    try {
      sessionStorage.setItem(place, JSON.stringify(kept));
      return;
    } catch (error) {
      if (!(error instanceof DOMException)) throw error;
    }
  }
  sessionStorage.removeItem(place);
}

export const hasSavedTurns = (place: string): boolean => sessionStorage.getItem(place) !== null;
