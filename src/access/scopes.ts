import { AppError } from '../platform/errors.ts';
import type { Context, Viewer } from './context.ts';
import type { ProductArea, ScopeMap } from './scope-map.ts';

/** The checks for one viewer. Each returns true or throws the error for the client. */
function scopesOf({ viewer }: Pick<Context, 'viewer'>) {
  return {
    member: () => {
      memberOf(viewer);
      return true;
    },
    manages: (area: ProductArea) => {
      const member = memberOf(viewer);
      if (member.kind === 'USER_KEY')
        throw new AppError(
          'FORBIDDEN',
          'This needs an organization key or a signed-in administrator',
          'ADMINISTRATORS_ONLY',
        );
      if (member.kind === 'SESSION') requireAdministrator(member);
      requireArea(member, area);
      return true;
    },
    person: () => {
      personOf(viewer);
      return true;
    },
    enabled: (area: ProductArea) => {
      requireArea(memberOf(viewer), area);
      return true;
    },
    signedIn: () => {
      signedInMember(viewer);
      return true;
    },
    administrator: () => {
      requireAdministrator(memberOf(viewer));
      return true;
    },
    account: () => {
      accountOf(viewer);
      return true;
    },
    platformSupport: () => {
      supporterOf(viewer);
      return true;
    },
  };
}

/** Throws if one of the scopes is missing. */
export function requireScopes(context: Pick<Context, 'viewer'>, required: ScopeMap): void {
  const scopes = scopesOf(context);
  if (required.member) scopes.member();
  if (required.manages) scopes.manages(required.manages);
  if (required.person) scopes.person();
  if (required.enabled) scopes.enabled(required.enabled);
  if (required.signedIn) scopes.signedIn();
  if (required.administrator) scopes.administrator();
  if (required.account) scopes.account();
  if (required.platformSupport) scopes.platformSupport();
}

/** The person behind a field with the scope `account`. */
export function accountOf(viewer: Viewer | null): Extract<Viewer, { kind: 'SESSION' }> {
  if (viewer === null) throw new AppError('UNAUTHENTICATED', 'Please sign in');
  if (viewer.kind !== 'SESSION')
    throw new AppError('FORBIDDEN', 'Only people who are signed in may do this', 'PEOPLE_ONLY');
  return viewer;
}

/** The person behind a field with the scope `platformSupport`. */
export function supporterOf(viewer: Viewer | null): { userId: string } {
  if (viewer === null) throw new AppError('UNAUTHENTICATED', 'Invalid or missing API key');
  if (viewer.kind === 'SESSION' && viewer.lacksSecondFactor) throw secondFactorRequired();
  if (viewer.kind !== 'SESSION' || !viewer.isPlatformSupport)
    throw new AppError('FORBIDDEN', 'Only platform support may do this', 'PLATFORM_SUPPORT_ONLY');
  return viewer;
}

const secondFactorRequired = () =>
  new AppError(
    'FORBIDDEN',
    'A second factor is required here. Set one up in your profile, under Security',
    'SECOND_FACTOR_REQUIRED',
  );

export type MemberViewer = Exclude<Viewer, { organizationId: null }>;

export function memberOf(viewer: Viewer | null): MemberViewer {
  if (viewer === null) throw new AppError('UNAUTHENTICATED', 'Invalid or missing API key');
  if (viewer.organizationId === null && viewer.lacksSecondFactor) throw secondFactorRequired();
  if (viewer.organizationId === null)
    throw new AppError('FORBIDDEN', 'You are not a member of an organization', 'NOT_A_MEMBER');
  return viewer;
}

/** The person behind a field with the scope `person`. */
export function personOf(
  viewer: Viewer | null,
): Exclude<MemberViewer, { kind: 'ORGANIZATION_KEY' }> {
  const member = memberOf(viewer);
  if (member.kind === 'ORGANIZATION_KEY')
    throw new AppError('FORBIDDEN', 'This needs a user key or a signed-in person', 'PEOPLE_ONLY');
  return member;
}

/** The person behind a field with the scope `signedIn`. */
export function signedInMember(viewer: Viewer | null): Extract<MemberViewer, { kind: 'SESSION' }> {
  const member = memberOf(viewer);
  if (member.kind !== 'SESSION')
    throw new AppError('FORBIDDEN', 'Only people who are signed in may do this', 'PEOPLE_ONLY');
  return member;
}

/** Throws unless the organization has the area. */
export function requireArea(
  { kind, features }: MemberViewer,
  { name, keyFeatures, sessionFeatures }: ProductArea,
): void {
  const needed = kind === 'SESSION' ? sessionFeatures : keyFeatures;
  if (!needed.every((feature) => features.has(feature)))
    throw new AppError('FEATURE_DISABLED', `${name} is not enabled for this organization`);
}

function requireAdministrator(viewer: MemberViewer): void {
  if (viewer.kind !== 'SESSION' || !viewer.isAdmin) {
    throw new AppError(
      'FORBIDDEN',
      'Only signed-in administrators of the organization may do this',
      'ADMINISTRATORS_ONLY',
    );
  }
}
