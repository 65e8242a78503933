import { useCallback, useState } from 'react';

/**
 * The question that a person is writing in one chat. It survives a reload and a new sign-in, and is
 * deleted with the tab or by signing out.
 */
export function useDraft(chatKey: string) {
  const storageKey = `atrium.draft.${chatKey}`;
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
  return [draft, setDraft] as const;
}

/** A draft that is too large for the storage is kept in the page only. */
function saveDraft(storageKey: string, text: string): void {
  try {
    sessionStorage.setItem(storageKey, text);
  } catch (error) {
    if (!(error instanceof DOMException)) throw error;
  }
}
