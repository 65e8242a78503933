import { CombinedError } from '@urql/core';
import { GraphQLError } from 'graphql';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { faultOf } from '../../src/console/web/graph/fault.ts';
import {
  codeTexts,
  fieldNames,
  fileTexts,
  valueTexts,
} from '../../src/console/web/graph/fault-codes.ts';
import { startLanguage } from '../../src/console/web/texts/language.ts';
import { errorReasonCatalogue } from '../../src/platform/error-reasons.ts';
import { errorCatalogue, fieldErrorCatalogue } from '../../src/platform/errors.ts';
import { extractFaults } from '../../src/vault/extract/extract-error.ts';
import { noticeCodes } from '../../src/vault/extract/notices.ts';
import { loadTexts, readMessages } from '../support/console-texts.ts';

const english = await readMessages('en');
const german = await readMessages('de');
const textOf = (messages: typeof german, key = '') => {
  const [section = '', name = ''] = key.split('.');
  return messages.get(section)?.[name];
};

/** The names without a German text of their own. */
const withoutText = (names: readonly string[], texts: Readonly<Record<string, string>>) =>
  names.filter((name) => {
    const text = textOf(german, texts[name]);
    return text === undefined || text === textOf(english, texts[name]);
  });

describe('the German texts of errors', () => {
  it('Every code of an error has a German text', () => {
    expect(withoutText(Object.keys(errorCatalogue), codeTexts)).toEqual([]);
  });

  it('Every reason of an error has a German text', () => {
    expect(withoutText(Object.keys(errorReasonCatalogue), codeTexts)).toEqual([]);
  });

  it('Every code of an invalid value has a German text', () => {
    expect(withoutText(Object.keys(fieldErrorCatalogue), valueTexts)).toEqual([]);
  });

  it('Every reason why a file cannot be read, and every notice about a file, has a German text', () => {
    const codes = [...Object.keys(extractFaults), 'ORIGINAL_LOST', 'PROCESSING_FAILED'];
    expect(codes.length).toBeGreaterThan(8);
    expect(withoutText([...codes, ...noticeCodes], fileTexts)).toEqual([]);
  });

  it('A code that the server does not have has no text', () => {
    const known = new Set([
      ...Object.keys(errorCatalogue),
      ...Object.keys(errorReasonCatalogue),
      // The library of the sign-in answers it.
      'INVALID_EMAIL_OR_PASSWORD',
    ]);
    expect(Object.keys(codeTexts).filter((code) => !known.has(code))).toEqual([]);
    expect(Object.keys(valueTexts).toSorted()).toEqual(Object.keys(fieldErrorCatalogue).toSorted());
  });
});

describe('an error of the server on a German page', () => {
  beforeAll(async () => {
    vi.stubGlobal('localStorage', { getItem: () => 'de' });
    vi.stubGlobal('navigator', { languages: ['de-DE'] });
    vi.stubGlobal('document', { documentElement: {} });
    startLanguage();
    await loadTexts('de');
  });
  afterAll(() => {
    vi.unstubAllGlobals();
  });

  const faultWith = (extensions: Record<string, unknown>) =>
    faultOf(
      new CombinedError({ graphQLErrors: [new GraphQLError('An English text', { extensions })] }),
    ).message;
  const invalid = (path: (string | number)[], code: string) => ({
    ...{ path, code, message: 'An English text' },
  });

  it('The text is that of the reason, or else of the code', () => {
    expect(faultWith({ code: 'CONFLICT', reason: 'TEAM_NAME_TAKEN' })).toBe(
      'Es gibt bereits ein Team mit diesem Namen',
    );
    expect(faultWith({ code: 'FORBIDDEN' })).toBe('Das dürfen Sie nicht');
  });

  it('An invalid value is named with what is wrong with it', () => {
    const errors = [
      invalid(['input', 'name'], 'TOO_LONG'),
      invalid(['input', 'allowedEmails', 3], 'INVALID_FORMAT'),
      invalid(['input', 'fields', 0], 'OUT_OF_RANGE'),
    ];
    expect(faultWith({ code: 'BAD_INPUT', errors })).toBe(
      'Name: Die Angabe ist zu lang; Erlaubte Adressen: Die Angabe hat nicht die nötige Form; Eine Eingabe: Der Wert ist zu klein oder zu groß',
    );
  });

  it('The reason of an invalid value says more than its code', () => {
    const errors = [invalid(['input', 'url'], 'INVALID')];
    expect(faultWith({ code: 'BAD_INPUT', reason: 'WEBHOOK_URL_REFUSED', errors })).toBe(
      'An diese URL kann nichts gesendet werden',
    );
  });

  it('A rate limit says when a try can succeed', () => {
    expect(faultWith({ code: 'RATE_LIMITED', retryAfterSeconds: 61 })).toBe(
      'Zu viele Anfragen. Versuchen Sie es in 2 Minuten erneut',
    );
    expect(faultWith({ code: 'RATE_LIMITED', retryAfterSeconds: 5 })).toBe(
      'Zu viele Anfragen. Versuchen Sie es in Kürze erneut',
    );
    expect(
      faultWith({
        ...{ code: 'RATE_LIMITED', reason: 'TOO_MANY_INVITATIONS', retryAfterSeconds: 600 },
      }),
    ).toContain('zu viele Einladungen');
  });

  it('A budget says when it has room again, in the time zone of the person', () => {
    vi.useFakeTimers({ now: Date.UTC(2026, 10, 28, 23, 30), toFake: ['Date'] });
    expect(faultWith({ code: 'BUDGET_EXHAUSTED', retryAfterSeconds: 1_800 })).toBe(
      `Ein Budget ist aufgebraucht. Fragen Sie nach dem ${new Date('2026-11-29T00:00:00Z').toLocaleString('de', { dateStyle: 'medium', timeStyle: 'short' })} erneut, oder bitten Sie einen Administrator, es zu erhöhen`,
    );
    vi.useRealTimers();
    expect(faultWith({ code: 'BUDGET_EXHAUSTED' })).toBe(
      'Ein Budget ist aufgebraucht. Ein Administrator kann es erhöhen',
    );
  });

  it('A code that this version does not know leaves the English text', () => {
    expect(faultWith({ code: 'FROM_A_LATER_VERSION' })).toBe('An English text');
  });

  it('The name of every field has a German text', () => {
    expect(Object.values(fieldNames).filter((key) => !textOf(german, key))).toEqual([]);
  });
});
