import { useCallback, useState } from 'react';

const storageKeyOf = (chatKey: string) => `atrium.draft.${chatKey}`;

/** Both texts, one above the other. */
export const joinDrafts = (...texts: readonly string[]): string =>
  texts.filter((text) => text.trim() !== '').join('\n\n');

/**
 * The question that a person is writing in one chat. It survives a reload and a new sign-in, and is
 * deleted with the tab or by signing out. `returnTo` puts a question that was not sent above the
 * draft of its chat, which can be another one than this.
 */
export function useDraft(chatKey: string) {
  const storageKey = storageKeyOf(chatKey);
  const [drafts, setDrafts] = useState<Readonly<Record<string, string>>>({});
  const draft = drafts[storageKey] ?? sessionStorage.getItem(storageKey) ?? '';
  const setDraft = useCallback(
    (text: string) => {
      setDrafts((others) => ({ ...others, [storageKey]: text }));
      if (text === '') sessionStorage.removeItem(storageKey);
      else saveDraft(storageKey, text);
    },
    [storageKey],
  );
  const returnTo = useCallback((leftChatKey: string, question: string) => {
    const leftKey = storageKeyOf(leftChatKey);
    const text = joinDrafts(question, sessionStorage.getItem(leftKey) ?? '');
    saveDraft(leftKey, text);
    setDrafts((others) => ({ ...others, [leftKey]: text }));
  }, []);
  return [draft, setDraft, returnTo] as const;
}

/** A draft that is too large for the storage is kept in the page only. */
function saveDraft(storageKey: string, text: string): void {
  try {
    sessionStorage.setItem(storageKey, text);
  } catch (error) {
    if (!(error instanceof DOMException)) throw error;
  }
}
