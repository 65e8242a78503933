import { type AttackRequest, jsonAttack } from './attack-request.ts';
import { oversizedKinds } from './expensive-values.ts';

// A body below /auth/ may have at most 64 kB.
const allowedBytes = 60_000;
const refusedBytes = 900_000;

type SessionHeaders = { cookie: string; origin: string };

/** The text fields that each path reads. */
const fieldsByPath: Record<string, readonly string[]> = {
  'sign-up/email': ['email', 'password', 'firstName', 'callbackPath'],
  'sign-in/email': ['email', 'password', 'callbackPath'],
  'sign-in/provider': ['provider', 'callbackPath'],
  'sign-in/passkey': ['passkey'],
  'passkey/options': ['unknown'],
  'second-factor/options': ['unknown'],
  'second-factor/verify': ['code'],
  'sign-out': ['unknown'],
  'request-password-reset': ['email', 'callbackPath'],
  'reset-password': ['token', 'password'],
  'send-verification-email': ['email', 'callbackPath'],
  'verify-email': ['token', 'password', 'firstName'],
};
const valueKinds = oversizedKinds.filter(
  ({ name }) => !/sentences|breaks|numbers$|words/.test(name) || name.startsWith('a list'),
);
const body = {
  email: 'somebody@partner.example',
  password: 'a horse, a battery, a staple',
  name: 'Somebody',
  firstName: 'Somebody',
  token: 'a',
  newPassword: 'another horse, another battery',
  code: '123456',
};

/** The requests that callers without a session can send to /auth. */
export const authAttacks = ({ origin }: SessionHeaders): AttackRequest[] =>
  Object.entries(fieldsByPath).flatMap(([path, fields]) =>
    fields.flatMap((field) =>
      valueKinds.flatMap((kind) =>
        [allowedBytes, ...(field === 'password' ? [refusedBytes] : [])].map((bytes) =>
          jsonAttack(
            `POST /auth/${path}: ${field} of ${bytes / 1_000} kB, ${kind.name}`,
            `/auth/${path}`,
            { origin },
            () => ({
              ...body,
              [field]: kind.value(bytes),
            }),
          ),
        ),
      ),
    ),
  );

const combiningMarks = (bytes: number) => '\u0301\u0316'.repeat(bytes / 4);

/**
 * Passwords whose Unicode normalization once blocked the process, because it ran before the check
 * of their length.
 */
export const signInBlockingAttacks = (session: SessionHeaders): AttackRequest[] => [
  ...[allowedBytes, refusedBytes].map((bytes) =>
    jsonAttack(
      `a sign-in with a password of ${bytes / 1_000} kB of combining marks`,
      '/auth/sign-in/email',
      { origin: session.origin },
      () => ({
        email: 'nobody@partner.example',
        password: combiningMarks(bytes),
      }),
    ),
  ),
  jsonAttack(
    'a session that confirms a password of 600 kB of combining marks',
    '/graphql',
    session,
    () => ({
      query:
        'mutation ($password: String!) { confirmPassword(input: { password: $password }) { success } }',
      variables: { password: combiningMarks(600_000) },
    }),
  ),
];
