import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { deviceText } from '../../src/console/web/settings/device-text.ts';
import { nameDevice } from '../../src/modules/accounts/sign-in/device-name.ts';
import { loadEnglishTexts, loadTexts } from '../support/console-texts.ts';

const firefox = 'Mozilla/5.0 (Windows NT 10.0; Win64; x64; rv:140.0) Gecko/20100101 Firefox/140.0';
const textFor = (userAgent: string | null) => deviceText(nameDevice(userAgent));

describe('deviceText', () => {
  describe('on German pages', () => {
    beforeAll(() => loadTexts('de'));
    afterAll(loadEnglishTexts);

    it('The names that the server gives to devices are in German', () => {
      expect(textFor(firefox)).toBe('Firefox unter Windows');
      expect(textFor(null)).toBe('ein unbekanntes Gerät');
      expect(textFor('curl/8.5.0')).toBe('curl');
    });
  });

  describe('on English pages', () => {
    beforeAll(loadEnglishTexts);

    it('They are in English', () => {
      expect(textFor(firefox)).toBe('Firefox on Windows');
      expect(textFor(null)).toBe('an unknown device');
    });
  });
});
