import type { CompiledMessage } from 'icu-minify/format';
import type { TextSection } from './catalogue.ts';
import { language } from './language.ts';

type Messages = Readonly<Record<string, CompiledMessage>>;

const loaded = new Map<string, Messages>();

export const setMessages = (section: string, messages: Messages): void => {
  loaded.set(section, messages);
};

/** Loads the texts of these sections in the language of the page, each once. */
export async function loadTexts(...sections: readonly TextSection[]): Promise<void> {
  await Promise.all(
    sections
      .filter((section) => !loaded.has(section))
      .map(async (section) => {
        // The build replaces each message by its compiled form.
        const module: Record<string, Messages> =
          language() === 'de'
            ? await import(`./de/${section}.ts`)
            : await import(`./en/${section}.ts`);
        setMessages(section, module[section] ?? {});
      }),
  );
}

export function messageOf(key: string): CompiledMessage {
  const dot = key.indexOf('.');
  const message = loaded.get(key.slice(0, dot))?.[key.slice(dot + 1)];
  if (message === undefined) throw new Error(`The text ${key} is not loaded`);
  return message;
}
