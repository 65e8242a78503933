import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createAccount } from '../../../src/modules/accounts/sign-up/create-account.ts';
import { inTransaction } from '../../../src/platform/database/transaction.ts';
import { type TestApp, testApp } from '../../support/app.ts';
import {
  acceptInvitation,
  invite,
  inviteMember,
  resendInvitation,
  revokeInvitation,
} from '../../support/invitations.ts';
import { signIn, type TestSession } from '../../support/sign-in.ts';

let app: TestApp;
beforeAll(async () => {
  app = await testApp({ USER_KEY_LIMIT: '100000' });
});
afterAll(() => app.close());

async function signedInPerson(email: string): Promise<TestSession & { id: string }> {
  const { id } = await inTransaction(app.database, (tx) =>
    createAccount(
      {
        email,
        firstName: '',
        lastName: '',
        passwordHash: 'none',
        at: new Date(),
        emailVerified: true,
      },
      tx,
    ),
  );
  return { ...(await signIn(app, id)), id };
}

const runConcurrently = <T>(count: number, run: (index: number) => Promise<T>): Promise<T[]> =>
  Promise.all(Array.from({ length: count }, (_, index) => run(index)));

describe('concurrent invitations', () => {
  it('Twenty concurrent acceptances of one invitation create one membership and one entry in the audit log', async () => {
    const owner = await app.organization();
    const { token, invitation } = await invite(
      await signIn(app, owner.administratorId),
      'once@race.example',
    );
    const invitee = await signedInPerson('once@race.example');
    const answers = await runConcurrently(20, () => invitee.graph(acceptInvitation, { token }));
    expect(answers.filter(({ data }) => data)).toHaveLength(1);
    expect(new Set(answers.flatMap(({ code }) => code ?? []))).toEqual(new Set(['CONFLICT']));
    expect(
      await app.database.prisma.auditEntry.count({
        where: { targetId: invitation.id, action: 'accept-invitation' },
      }),
    ).toBe(1);
  });

  it('Eight people who accept at the same moment take exactly the three free seats', async () => {
    const owner = await app.organization({ seatLimit: 4 });
    const admin = await signIn(app, owner.administratorId);
    const invited: { session: TestSession; token: string }[] = [];
    for (let index = 0; index < 8; index += 1) {
      const email = `seat${index}@race.example`;
      invited.push({
        session: await signedInPerson(email),
        token: (await invite(admin, email)).token,
      });
    }
    const answers = await Promise.all(
      invited.map(({ session, token }) => session.graph(acceptInvitation, { token })),
    );
    expect(answers.filter(({ data }) => data)).toHaveLength(3);
    expect(answers.filter(({ code }) => code === 'SEAT_LIMIT_REACHED')).toHaveLength(5);
    expect(
      await app.database.prisma.membership.count({ where: { organizationId: owner.id } }),
    ).toBe(4);
  });

  it('Ten concurrent invitations of one address create one open invitation', async () => {
    const owner = await app.organization();
    const admin = await signIn(app, owner.administratorId);
    const answers = await runConcurrently(10, () =>
      admin.graph(inviteMember, { email: 'many@race.example', role: 'MEMBER' }),
    );
    expect(answers.filter(({ data }) => data)).toHaveLength(1);
    expect(answers.filter(({ code }) => code === 'CONFLICT')).toHaveLength(9);
  });

  it('If an invitation is accepted and revoked at the same moment, exactly one of the two succeeds', async () => {
    const owner = await app.organization();
    const admin = await signIn(app, owner.administratorId);
    for (let round = 0; round < 5; round += 1) {
      const email = `either${round}@race.example`;
      const { token, invitation } = await invite(admin, email);
      const invitee = await signedInPerson(email);
      const [accepted, revoked] = await Promise.all([
        invitee.graph(acceptInvitation, { token }),
        admin.graph(revokeInvitation, { id: invitation.id }),
      ]);
      expect(Boolean(accepted.data)).toBe(!revoked.data);
      expect(
        await app.database.prisma.membership.count({
          where: { organizationId: owner.id, userId: invitee.id },
        }),
      ).toBe(accepted.data ? 1 : 0);
    }
  });

  it('If an invitation is accepted and resent at the same moment, exactly one of the two succeeds', async () => {
    const owner = await app.organization();
    const admin = await signIn(app, owner.administratorId);
    const { token, invitation } = await invite(admin, 'replaced@race.example');
    const invitee = await signedInPerson('replaced@race.example');
    const [accepted, resent] = await Promise.all([
      invitee.graph(acceptInvitation, { token }),
      admin.graph(resendInvitation, { id: invitation.id }),
    ]);
    expect(Boolean(accepted.data)).toBe(!resent.data);
  });
});
