import { describe, expect, it } from 'vitest';
import { preferredLanguage } from '../../src/platform/language.ts';

describe('the language of Accept-Language', () => {
  it.each([
    ['de', 'DE'],
    ['DE-at', 'DE'],
    ['de-DE,de;q=0.9,en;q=0.8', 'DE'],
    ['en;q=0.5, de;q=0.6', 'DE'],
    ['en, de', 'EN'],
    ['fr-FR, fr;q=0.9, de;q=0.2', 'DE'],
    ['de ; q=0.1 , en ; q=0.2', 'EN'],
    ['de;q=0, en;q=0.001', 'EN'],
  ])('%s prefers %s', (header, language) => {
    expect(preferredLanguage(header)).toBe(language);
  });

  it.each([null, undefined, '', '*', 'fr', 'de;q=0', 'den, english', ';q=1', ',,,'])(
    '%s names no language that people can choose',
    (header) => {
      expect(preferredLanguage(header)).toBeNull();
    },
  );

  it('A header of a megabyte is answered by its beginning', () => {
    expect(preferredLanguage(`${'fr,'.repeat(350_000)}de`)).toBeNull();
    expect(preferredLanguage(`de${',fr'.repeat(350_000)}`)).toBe('DE');
  });
});
