import { pathToFileURL } from 'node:url';
import compile from 'icu-minify/compile';

const textsFile = /\/texts\/(?:en|de)\/\w+\.ts$/;

/**
 * Replaces the messages of the console's texts by their compiled form, so that the browser needs no
 * parser of ICU messages.
 */
export const compileTexts = {
  name: 'compile-texts',
  enforce: 'pre' as const,
  async transform(_: string, id: string): Promise<string | undefined> {
    if (!textsFile.test(id)) return undefined;
    const module: Record<string, Record<string, string>> = await import(pathToFileURL(id).href);
    return Object.entries(module)
      .map(([name, messages]) => `export const ${name} = ${JSON.stringify(compileAll(messages))};`)
      .join('\n');
  },
};

export const compileAll = (messages: Readonly<Record<string, string>>) =>
  Object.fromEntries(Object.entries(messages).map(([key, text]) => [key, compile(text)]));
