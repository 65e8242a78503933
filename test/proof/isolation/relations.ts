import type { TestApp } from '../../support/app.ts';
import { operationFor, rootFields, sampleOf } from '../../support/whole-schema.ts';
import { graphPlaces, graphRequest, type Own, restPlaces } from './places.ts';
import type { Caller, Tenant } from './tenants.ts';
import { sent } from './walk.ts';
import type { Witness } from './witness.ts';

/**
 * What people who have to do with each other do see: from which column of the other, and in which
 * field. This is all of it: whatever else comes out is a leak, and what is here and does not come
 * out is a promise that nobody keeps.
 */
export const shown = {
  /** Whoever holds a sponsored link sees what is offered, and by whom. */
  holderOfLink: [
    'campaigns-name → SponsoredOffer.campaignName',
    'organizations-name → SponsoredOffer.sponsorName',
  ],
  /** Whoever holds an invitation sees where to, and from whom. */
  holderOfInvitation: [
    'invitations-email → InvitationOffer.email',
    'organizations-name → InvitationOffer.organizationName',
    'users-first-name → InvitationOffer.invitedBy',
    'users-last-name → InvitationOffer.invitedBy',
  ],
  /** A sponsored workspace sees who sponsors it, and by what. */
  sponsored: [
    'campaigns-name → SponsoredWorkspace.campaignName',
    'organizations-name → SponsoredWorkspace.sponsorName',
  ],
  /** A partner sees who redeemed, and what the workspace is called now. */
  partner: [
    'organizations-name → Redemption.organizationName',
    'organizations-name → redemptions.organizationName',
    'users-email → Redemption.userEmail',
    'users-email → redemptions.userEmail',
  ],
  /**
   * Who adds a person by their address sees that address, and nothing of the account before the
   * person accepts.
   */
  employer: [
    'users-email → AuditEntry.email',
    'users-email → User.email',
    'users-email → users.email',
    'users-email → AuditEntry.targetName',
    'users.id → AuditEntry.targetId',
    'users.id → RemovedUser.userId',
    'users.id → User.id',
    'users.id → users.id',
  ],
  /** Once they are gone, their log keeps whom they had. */
  formerEmployer: ['users-email → AuditEntry.email', 'users.id → AuditEntry.targetId'],
};

/** Reads everything that the caller can read, by their own ids. */
export async function readEverything(
  app: TestApp,
  caller: Caller,
  own: Own,
  witnesses: readonly Witness[],
): Promise<void> {
  const places = [...restPlaces(own), ...graphPlaces(own)].filter(({ where }) =>
    /^(GET|query) /.test(where),
  );
  const placeless = rootFields.filter(
    ({ kind, field }) =>
      kind === 'query' && field.args.every(({ defaultValue }) => defaultValue !== undefined),
  );
  const questions = [
    ...places.map(({ where, ask: asked }) => ({ where, request: asked(own) })),
    ...placeless.map((root) => ({
      where: root.name,
      request: graphRequest(root, operationFor(root), {}),
    })),
  ];
  for (const { where, request } of questions) {
    const answer = await sent(app, caller, request);
    for (const witness of witnesses) witness.hear(`${where} as ${caller.name}`, '', answer);
  }
}

/** Asks all that can be asked with the secret of a link. */
export async function holdLink(
  app: TestApp,
  caller: Caller,
  token: string,
  witness: Witness,
): Promise<void> {
  for (const root of rootFields.filter(({ field }) =>
    field.args.some(({ name }) => name === 'token'),
  )) {
    const variables = Object.fromEntries(
      root.field.args.map(({ name, type }) => [
        name,
        name === 'token' ? token : sampleOf(type, 'a long enough text'),
      ]),
    );
    witness.hear(
      `${root.name} as ${caller.name}`,
      token,
      await sent(app, caller, graphRequest(root, operationFor(root), variables)),
    );
  }
}

/**
 * Takes on a person of another organization by their address, does with them what an employer can
 * do, and lets them go.
 */
export async function employ(
  app: TestApp,
  { callers }: Tenant,
  own: Own,
  email: string,
  witness: Witness,
  afterwards: Witness,
): Promise<void> {
  const [key, , , administrator] = callers;
  if (!key || !administrator) throw new Error('nobody can employ');
  const change = async (caller: Caller, name: string, given: Record<string, unknown>) => {
    const root = rootFields.find((field) => field.name === name);
    if (!root) throw new Error(`there is no ${name}`);
    const answer = await sent(app, caller, graphRequest(root, operationFor(root), given));
    witness.hear(`${name} as ${caller.name}`, email, answer);
    return answer;
  };
  const { text } = await change(key, 'createUser', { email });
  const userId = String(JSON.parse(text).data.createUser.user.id);
  await change(administrator, 'setUserRole', { userId, role: 'MEMBER' });
  await change(key, 'addTeamUser', { userId, teamId: own('teams') });
  for (const caller of [key, administrator]) await readEverything(app, caller, own, [witness]);
  await change(key, 'removeUser', { userId });
  for (const caller of [key, administrator]) await readEverything(app, caller, own, [afterwards]);
}
