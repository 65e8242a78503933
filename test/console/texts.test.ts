import { globSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';
import { readMessages } from '../support/console-texts.ts';
import { argumentsOf } from '../support/message-arguments.ts';

const web = fileURLToPath(new URL('../../src/console/web/', import.meta.url));
const english = await readMessages('en');
const german = await readMessages('de');
const sources = globSync('**/*.{ts,tsx}', { cwd: web })
  .filter((file) => !file.startsWith('texts/') && !file.endsWith('documents.ts'))
  .map((file) => ({ file, text: readFileSync(web + file, 'utf8') }));

const keysOf = (messages: typeof english): string[] =>
  [...messages].flatMap(([section, texts]) => Object.keys(texts).map((key) => `${section}.${key}`));

describe('the texts of the console', () => {
  it('The names of arguments and tags are found in plain, chosen and nested parts', () => {
    expect(
      argumentsOf('{a} <b>{c, plural, one {# {d}} other {#}}</b> {e, select, x {{f}} other {}}'),
    ).toEqual(['<b>', 'a', 'c number', 'd', 'e select', 'f']);
  });

  it('Every language has the same keys', () => {
    expect(keysOf(english).length).toBeGreaterThan(1_000);
    expect(keysOf(german)).toEqual(keysOf(english));
  });

  it('Every message is valid, and each language has the same arguments and tags', () => {
    const differing = [...english].flatMap(([section, texts]) =>
      Object.entries(texts).flatMap(([key, message]) => {
        const [expected, actual] = [message, german.get(section)?.[key] ?? ''].map(argumentsOf);
        return JSON.stringify(expected) === JSON.stringify(actual)
          ? []
          : [{ key: `${section}.${key}`, expected, actual }];
      }),
    );
    expect(differing).toEqual([]);
  });

  it('Every plural has the forms that its language needs', () => {
    const incomplete = [...english, ...german].flatMap(([section, texts]) =>
      Object.entries(texts)
        .filter(([, message]) => /, plural,(?!.*\bother \{)/s.test(message))
        .map(([key]) => `${section}.${key}`),
    );
    expect(incomplete).toEqual([]);
  });

  it('The page of a feature that is off names it as the settings do', () => {
    for (const texts of [english, german])
      expect(texts.get('sponsorship')?.['askForFeature']).toContain(
        `<b>${texts.get('organization')?.['partnerSponsorship']}</b>`,
      );
  });

  it('Every key is used, and every key in the code exists', () => {
    const sections = [...english.keys()].join('|');
    const keyPattern = new RegExp(`'((?:${sections})\\.[a-z]\\w*)'`, 'g');
    const used = new Set(
      sources.flatMap(({ text }) => [...text.matchAll(keyPattern)].map(([, key = '']) => key)),
    );
    const known = new Set(keysOf(english));
    expect([...known].filter((key) => !used.has(key))).toEqual([]);
    expect([...used].filter((key) => !known.has(key))).toEqual([]);
  });

  it('No attribute that people read has a text in the code', () => {
    const attribute =
      /\b(?:aria-label|label|title|placeholder|hint|lead|alt|submit|caption|question|confirmLabel|copyLabel|formLabel|subject|done|none|noun|pointTitle)=(?:"([^"]*)"|\{`([^`]*)`\})/g;
    // Examples of what can be typed have no language.
    const examples = ['example.com', 'ada@example.com', 'https://hooks.example.com/atrium'];
    const names = ['GraphQL', 'curl'];
    const found = sources.flatMap(({ file, text }) =>
      [...text.matchAll(attribute)]
        .map(([, text, template = '']) => text ?? template.replaceAll(/\$\{[^}]*\}/g, ''))
        .filter((value) => /\p{L}{2}/u.test(value))
        .filter((value) => ![...examples, ...names].includes(value))
        .map((value) => `${file}: ${value}`),
    );
    expect(found).toEqual([]);
  });

  it('German texts use the polite form and German quotation marks', () => {
    const wrong = [...german].flatMap(([section, texts]) =>
      Object.entries(texts)
        .filter(([, text]) => /\b(?:du|dein|deine|deinen|dir|dich)\b|“[^“”„]*”|"/i.test(text))
        .map(([key]) => `${section}.${key}`)
        // Instructions of templates speak to the model.
        .filter((key) => !/^templates\.\w+Instructions$/.test(key)),
    );
    expect(wrong).toEqual([]);
  });
});
