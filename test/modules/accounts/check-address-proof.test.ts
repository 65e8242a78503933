import { describe, expect, it } from 'vitest';
import { checkAddressProof } from '../../../src/modules/accounts/check-address-proof.ts';
import { readEnv } from '../../../src/platform/env.ts';

const smtp = { SMTP_URL: 'smtps://mail.example', MAIL_FROM: 'atrium@mail.example' };
const providers = {
  ORIGIN: 'https://atrium.example',
  SIGN_IN_PROVIDERS: '{"google":{"clientId":"id","clientSecret":"secret"}}',
};

/** The warnings of a start with these settings. */
function startWith(settings: Record<string, string>): string[] {
  const warnings: string[] = [];
  checkAddressProof(readEnv(settings), { warn: (message) => warnings.push(message) });
  return warnings;
}

describe('the proof of addresses', () => {
  it.each([
    ['production', 'required'],
    ['development', 'off'],
    ['test', 'off'],
  ])('under NODE_ENV=%s is %s by default', (NODE_ENV, expected) => {
    expect(readEnv({ NODE_ENV }).EMAIL_VERIFICATION).toBe(expected);
  });

  it.each([{}, { SIGN_IN_PROVIDERS: '{}', ORIGIN: 'https://atrium.example' }])(
    'stops a start in production with %j, and the message names the settings',
    (given) => {
      for (const name of ['EMAIL_VERIFICATION', 'SMTP_URL', 'MAIL_FROM', 'SIGN_IN_PROVIDERS']) {
        expect(() => startWith({ NODE_ENV: 'production', ...given })).toThrow(name);
      }
    },
  );

  it('lets production start with mail or with other sites, without a warning', () => {
    expect([
      startWith({ NODE_ENV: 'production', ...smtp }),
      startWith({ NODE_ENV: 'production', ...providers }),
    ]).toEqual([[], []]);
  });

  it('is off in production only where the settings say so, with a warning', () => {
    expect(startWith({ NODE_ENV: 'production', EMAIL_VERIFICATION: 'off' })).toEqual([
      expect.stringContaining('EMAIL_VERIFICATION is off'),
    ]);
    expect([
      startWith({ NODE_ENV: 'development' }),
      startWith({ EMAIL_VERIFICATION: 'required' }),
    ]).toEqual([[], []]);
  });

  it('is not asked of a part without people: settings alone are no fault', () => {
    expect(() => readEnv({ NODE_ENV: 'production' })).not.toThrow();
  });
});
