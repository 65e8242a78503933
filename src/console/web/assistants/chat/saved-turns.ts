import type { ChatTurn } from './conversation.ts';

/**
 * The key in session storage, which keeps a chat in this tab until the tab is closed or the person
 * signs out. Its number changes with the form of the turns.
 */
export const chatStorageKey = (personId: string, assistantId: string): string =>
  `atrium.chat.2.${personId}.${assistantId}`;

/** A turn that was running when the page was closed is marked as stopped. */
export function loadTurns(storageKey: string): ChatTurn[] {
  const text = sessionStorage.getItem(storageKey);
  if (text === null) return [];
  const turns: ChatTurn[] = JSON.parse(text);
  return turns.map((turn) => (turn.state === 'running' ? { ...turn, state: 'stopped' } : turn));
}

/** Saves the newest turns that fit: session storage holds a few megabytes. */
export function saveTurns(storageKey: string, turns: readonly ChatTurn[]): void {
  for (let saved = turns; saved.length > 0; saved = saved.slice(1)) {
    try {
      sessionStorage.setItem(storageKey, JSON.stringify(saved));
      return;
    } catch (error) {
      if (!(error instanceof DOMException)) throw error;
    }
  }
  sessionStorage.removeItem(storageKey);
}

export const hasSavedTurns = (storageKey: string): boolean =>
  sessionStorage.getItem(storageKey) !== null;
