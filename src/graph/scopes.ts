import { AppError } from '../platform/errors.ts';
import type { Context, Viewer } from './context.ts';

/**
 * A part of the product that an organization can be given: which features open it, for a key and
 * for a person.
 */
export type Area = {
  readonly name: string;
  readonly keyFeatures: readonly string[];
  readonly sessionFeatures: readonly string[];
};

/**
 * What a field can ask of its viewer. Fields name these as data; the REST adapter reads the same
 * data before it reads the input.
 */
export type AuthScopes = {
  /** Anybody whom a key or a session identifies, inside an organization. */
  member: boolean;
  /**
   * An organization key, or an administrator who is signed in, where the organization has the area.
   */
  manages: Area;
  /**
   * A person of the organization: with a key of their own, or signed in. An organization key is
   * nobody in particular.
   */
  person: boolean;
  /** The organization has the area. */
  enabled: Area;
  /** A member who is signed in; no key will do. */
  signedIn: boolean;
  /** An administrator who is signed in; no key will do. */
  administrator: boolean;
  /** A person who is signed in, in an organization or in none; no key will do. */
  account: boolean;
  /**
   * Somebody who works for the platform and is signed in; no key will do, and no role in an
   * organization.
   */
  platformSupport: boolean;
};

export type ScopeMap = Partial<AuthScopes>;

/** The checks for one viewer. Each lets pass or throws the refusal that its sender will read. */
function scopesOf({ viewer }: Pick<Context, 'viewer'>) {
  return {
    member: () => {
      memberOf(viewer);
      return true;
    },
    manages: (area: Area) => {
      const member = memberOf(viewer);
      if (member.kind === 'USER_KEY')
        throw new AppError(
          'FORBIDDEN',
          'This needs an organization key or a signed-in administrator',
        );
      if (member.kind === 'SESSION') requireAdministrator(member);
      requireArea(member, area);
      return true;
    },
    person: () => {
      personOf(viewer);
      return true;
    },
    enabled: (area: Area) => {
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

/** Throws the first refusal among these scopes. */
export function requireScopes(context: Pick<Context, 'viewer'>, wanted: ScopeMap): void {
  const scopes = scopesOf(context);
  if (wanted.member) scopes.member();
  if (wanted.manages) scopes.manages(wanted.manages);
  if (wanted.person) scopes.person();
  if (wanted.enabled) scopes.enabled(wanted.enabled);
  if (wanted.signedIn) scopes.signedIn();
  if (wanted.administrator) scopes.administrator();
  if (wanted.account) scopes.account();
  if (wanted.platformSupport) scopes.platformSupport();
}

/** The person behind a field with the scope `account`. */
export function accountOf(viewer: Viewer | null): Extract<Viewer, { kind: 'SESSION' }> {
  if (viewer === null) throw new AppError('UNAUTHENTICATED', 'Please sign in');
  if (viewer.kind !== 'SESSION')
    throw new AppError('FORBIDDEN', 'Only people who are signed in may do this');
  return viewer;
}

/** The person behind a field with the scope `platformSupport`. */
export function supporterOf(viewer: Viewer | null): { userId: string } {
  if (viewer === null) throw new AppError('UNAUTHENTICATED', 'Invalid or missing API key');
  if (viewer.kind === 'SESSION' && viewer.lacksSecondFactor) throw secondFactorRequired();
  if (viewer.kind !== 'SESSION' || !viewer.isPlatformSupport)
    throw new AppError('FORBIDDEN', 'Only platform support may do this');
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
    throw new AppError('FORBIDDEN', 'You are not a member of an organization');
  return viewer;
}

/** The person behind a field with the scope `person`. */
export function personOf(
  viewer: Viewer | null,
): Exclude<MemberViewer, { kind: 'ORGANIZATION_KEY' }> {
  const member = memberOf(viewer);
  if (member.kind === 'ORGANIZATION_KEY')
    throw new AppError('FORBIDDEN', 'This needs a user key or a signed-in person');
  return member;
}

/** The person behind a field with the scope `signedIn`. */
export function signedInMember(viewer: Viewer | null): Extract<MemberViewer, { kind: 'SESSION' }> {
  const member = memberOf(viewer);
  if (member.kind !== 'SESSION')
    throw new AppError('FORBIDDEN', 'Only people who are signed in may do this');
  return member;
}

function requireArea(
  { kind, features }: MemberViewer,
  { name, keyFeatures, sessionFeatures }: Area,
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
    );
  }
}
