import { globSync } from 'node:fs';
import { basename } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { compileAll } from '../../src/console/compile-texts.ts';
import type { Language } from '../../src/console/web/texts/language.ts';
import { setMessages } from '../../src/console/web/texts/messages.ts';

type SectionMessages = Readonly<Record<string, string>>;

/** The messages of all sections in one language, by the name of the section. */
export async function readMessages(language: Language): Promise<Map<string, SectionMessages>> {
  const folder = fileURLToPath(
    new URL(`../../src/console/web/texts/${language}/`, import.meta.url),
  );
  const messages = new Map<string, SectionMessages>();
  for (const file of globSync(`${folder}*.ts`).toSorted()) {
    const section = basename(file, '.ts');
    const module: Record<string, SectionMessages> = await import(pathToFileURL(file).href);
    messages.set(section, module[section] ?? {});
  }
  return messages;
}

/** Loads the texts of the console in a language, for tests that call code which builds texts. */
export async function loadTexts(language: Language): Promise<void> {
  for (const [section, messages] of await readMessages(language))
    setMessages(section, compileAll(messages));
}

export const loadEnglishTexts = (): Promise<void> => loadTexts('en');
