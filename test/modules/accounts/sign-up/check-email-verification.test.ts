import { describe, expect, it } from 'vitest';
import { checkEmailVerification } from '../../../../src/modules/accounts/sign-up/check-email-verification.ts';
import { readEnv } from '../../../../src/platform/env.ts';

const smtp = { SMTP_URL: 'smtps://mail.example', MAIL_FROM: 'atrium@mail.example' };
const providers = {
  ORIGIN: 'https://atrium.example',
  SIGN_IN_PROVIDERS: '{"google":{"clientId":"id","clientSecret":"secret"}}',
};

/** Returns the warnings of a start with these settings. */
function startWith(settings: Record<string, string>): string[] {
  const warnings: string[] = [];
  checkEmailVerification(readEnv(settings), { warn: (message) => warnings.push(message) });
  return warnings;
}

describe('the setting EMAIL_VERIFICATION', () => {
  it.each([
    ['production', 'required'],
    ['development', 'off'],
    ['test', 'off'],
  ])('Under NODE_ENV=%s EMAIL_VERIFICATION is %s by default', (NODE_ENV, expected) => {
    expect(readEnv({ NODE_ENV }).EMAIL_VERIFICATION).toBe(expected);
  });

  it.each([{}, { SIGN_IN_PROVIDERS: '{}', ORIGIN: 'https://atrium.example' }])(
    'A production start with %j fails, and the message names the settings',
    (settings) => {
      for (const name of ['EMAIL_VERIFICATION', 'SMTP_URL', 'MAIL_FROM', 'SIGN_IN_PROVIDERS']) {
        expect(() => startWith({ NODE_ENV: 'production', ...settings })).toThrow(name);
      }
    },
  );

  it('A production start with mail or with sign-in providers succeeds without a warning', () => {
    expect([
      startWith({ NODE_ENV: 'production', ...smtp }),
      startWith({ NODE_ENV: 'production', ...providers }),
    ]).toEqual([[], []]);
  });

  it('In production email verification is off only if the settings say so, and a warning is logged', () => {
    expect(startWith({ NODE_ENV: 'production', EMAIL_VERIFICATION: 'off' })).toEqual([
      expect.stringContaining('EMAIL_VERIFICATION is off'),
    ]);
    expect([
      startWith({ NODE_ENV: 'development' }),
      startWith({ EMAIL_VERIFICATION: 'required' }),
    ]).toEqual([[], []]);
  });

  it('A process without accounts starts with the settings alone', () => {
    expect(() => readEnv({ NODE_ENV: 'production' })).not.toThrow();
  });
});
