import type { TestApp } from '../../support/app.ts';
import { operationFor, rootFields, sampleOf } from '../../support/schema-operations.ts';
import { sealNow } from '../../support/sealing.ts';
import type { LeakDetector } from './leak-detector.ts';
import { graphRequest, graphSlots, type OwnValues, restSlots } from './request-slots.ts';
import type { Tenant, TestCaller } from './tenants.ts';
import { sendAs } from './try-slots.ts';

/**
 * The data of another tenant that related callers may see, as column → field. The list is complete:
 * the proof fails when anything else appears, and when a listed field does not appear.
 */
export const visibleToRelated = {
  /** The holder of a sponsored link sees the offer and the branding of the sponsor. */
  holderOfLink: [
    'campaigns-name → SponsoredOffer.campaignName',
    'sponsor-brandings-display-name → SponsoredOffer.sponsorName',
    'sponsor-brandings-display-name → SponsorBranding.displayName',
    'sponsor-brandings-sentence → SponsorBranding.sentence',
    'sponsor_brandings.logo_hash → SponsorBranding.logoUrl',
  ],
  /** The holder of an invitation sees the organization and the inviting person. */
  holderOfInvitation: [
    'invitations-email → InvitationOffer.email',
    'organizations-name → InvitationOffer.organizationName',
    'users-first-name → InvitationOffer.invitedBy',
    'users-last-name → InvitationOffer.invitedBy',
  ],
  /** A sponsored workspace sees its sponsor and the campaign. */
  sponsored: [
    'campaigns-name → SponsoredWorkspace.campaignName',
    'sponsor-brandings-display-name → SponsoredWorkspace.sponsorName',
  ],
  /**
   * A partner sees who redeemed a link, also in its audit log and statements, and the current name
   * of the workspace.
   */
  partner: [
    'users.id → entries.actorUserId',
    'organizations-name → Redemption.organizationName',
    'organizations-name → redemptions.organizationName',
    'organizations-name → redemption.organizationName',
    'users-email → Redemption.userEmail',
    'users-email → redemptions.userEmail',
    'users-email → redemption.userEmail',
    'organizations-name → entries.organizationName',
    'users-email → entries.userEmail',
  ],
  /**
   * An organization that adds a person by their address sees only that address until the person
   * accepts.
   */
  employer: [
    'users-email → AuditChange.value',
    'users-email → changes.value',
    'users.id → entries.targetId',
    'users-email → User.email',
    'users-email → users.email',
    'users-email → AuditEntry.targetName',
    'users.id → AuditEntry.targetId',
    'users.id → data.resourceId',
    'users.id → RemoveUserPayload.removedUserId',
    'users.id → User.id',
    'users.id → users.id',
  ],
  /**
   * After the removal of a person, the audit log of the organization keeps their address and id, and
   * the event feed the id.
   */
  formerEmployer: [
    'users-email → AuditChange.value',
    'users-email → changes.value',
    'users.id → AuditEntry.targetId',
    'users.id → entries.targetId',
    'users.id → data.resourceId',
  ],
};

/** Reads everything that the caller can read with ids of their own tenant. */
export async function readEverything(
  app: TestApp,
  caller: TestCaller,
  ownValues: OwnValues,
  detectors: readonly LeakDetector[],
): Promise<void> {
  const slots = [...restSlots(ownValues), ...graphSlots(ownValues)].filter(({ where }) =>
    /^(GET|query) /.test(where),
  );
  const withoutSlots = rootFields.filter(
    ({ kind, field }) =>
      kind === 'query' && field.args.every(({ defaultValue }) => defaultValue !== undefined),
  );
  const requests = [
    ...slots.map(({ where, request }) => ({ where, request: request(ownValues) })),
    ...withoutSlots.map((root) => ({
      where: root.name,
      request: graphRequest(root, operationFor(root), {}),
    })),
  ];
  for (const { where, request } of requests) {
    const answer = await sendAs(app, caller, request);
    for (const detector of detectors)
      detector.checkAnswer(`${where} as ${caller.name}`, '', answer);
  }
}

/** Requests every field that takes the token of a link or an invitation. */
export async function readWithToken(
  app: TestApp,
  caller: TestCaller,
  token: string,
  detector: LeakDetector,
): Promise<void> {
  for (const root of rootFields.filter(({ inputs }) =>
    inputs.some(({ name }) => name === 'token'),
  )) {
    const variables = Object.fromEntries(
      root.inputs.map((input) => [
        input.name,
        input.name === 'token' ? token : sampleOf(input, 'a long enough text'),
      ]),
    );
    detector.checkAnswer(
      `${root.name} as ${caller.name}`,
      token,
      await sendAs(app, caller, graphRequest(root, operationFor(root), variables)),
    );
  }
}

/**
 * Adds a person of another organization by their address, uses every operation on members, and
 * removes the person.
 */
export async function addAndRemoveMember(
  app: TestApp,
  { callers }: Tenant,
  ownValues: OwnValues,
  email: string,
  detector: LeakDetector,
  formerEmployerLeaks: LeakDetector,
): Promise<void> {
  const [key, , , administrator] = callers;
  if (!key || !administrator)
    throw new Error('the tenant has no organization key or administrator');
  const mutate = async (caller: TestCaller, name: string, variables: Record<string, unknown>) => {
    const root = rootFields.find((field) => field.name === name);
    if (!root) throw new Error(`there is no ${name}`);
    const answer = await sendAs(app, caller, graphRequest(root, operationFor(root), variables));
    detector.checkAnswer(`${name} as ${caller.name}`, email, answer);
    return answer;
  };
  const { text } = await mutate(key, 'createUser', { email });
  const userId = String(JSON.parse(text).data.createUser.user.id);
  await mutate(administrator, 'setUserRole', { userId, role: 'MEMBER' });
  await mutate(key, 'addTeamUser', { userId, teamId: ownValues('teams') });
  const { clock, receiptKeys: signingKeys } = app.contextParts;
  // The export of the audit log has only sealed entries.
  await sealNow(app.database, { clock, signingKeys });
  for (const caller of [key, administrator])
    await readEverything(app, caller, ownValues, [detector]);
  await mutate(key, 'removeUser', { userId });
  await sealNow(app.database, { clock, signingKeys });
  for (const caller of [key, administrator])
    await readEverything(app, caller, ownValues, [formerEmployerLeaks]);
}
