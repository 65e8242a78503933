import { inTransaction } from '../../../platform/database/transaction.ts';
import { recordAuthenticationEvent } from '../../audit/record-authentication-event.ts';
import type { AccountServices } from '../account-services.ts';
import { originOfEvent } from '../client-header.ts';

const events = {
  APP: { action: 'use-second-factor', changes: { kind: 'APP' } },
  PASSKEY: { action: 'use-second-factor', changes: { kind: 'PASSKEY' } },
  RECOVERY_CODE: { action: 'use-recovery-code' },
  WRONG_CODE: { action: 'fail-second-factor', actor: 'NOBODY' },
} as const;

type SecondStepResult = {
  userId: string;
  result: keyof typeof events;
  headers: Headers | undefined;
};

/**
 * Writes the result of the second step of a sign-in to the audit log. The limit of attempts also
 * bounds the entries of wrong codes.
 */
export function recordSecondStep(
  { userId, result, headers }: SecondStepResult,
  { database, clock }: Pick<AccountServices, 'database' | 'clock'>,
): Promise<void> {
  return inTransaction(database, (tx) =>
    recordAuthenticationEvent(
      tx,
      { ...events[result], userId, ...originOfEvent(headers) },
      clock(),
    ),
  );
}
