import type { CompiledMessage } from 'icu-minify/format';
import { language } from './language.ts';

type Messages = Readonly<Record<string, CompiledMessage>>;

/**
 * Texts that are loaded together, as one file: those of every page, of a section, or of the palette.
 */
export type TextGroup =
  | 'page'
  | 'auth'
  | 'home'
  | 'assistants'
  | 'sponsorship'
  | 'vault'
  | 'developers'
  | 'settings'
  | 'notifications'
  | 'palette';

const loaded = new Map<string, Messages>();
const loadings = new Map<TextGroup, Promise<void>>();

export const setMessages = (section: string, messages: Messages): void => {
  loaded.set(section, messages);
};

/** Loads a group of texts in the language of the page, once. */
export function loadTexts(group: TextGroup): Promise<void> {
  const loading = loadings.get(group) ?? loadGroup(group);
  loadings.set(group, loading);
  // What could not be loaded is requested again the next time.
  loading.catch(() => loadings.delete(group));
  return loading;
}

async function loadGroup(group: TextGroup): Promise<void> {
  // The build replaces each message by its compiled form.
  const sections: Record<string, Messages> = await import(`./groups/${group}-${language()}.ts`);
  for (const [section, messages] of Object.entries(sections)) setMessages(section, messages);
}

export function messageOf(key: string): CompiledMessage {
  const dot = key.indexOf('.');
  const message = loaded.get(key.slice(0, dot))?.[key.slice(dot + 1)];
  if (message === undefined) throw new Error(`The text ${key} is not loaded`);
  return message;
}
