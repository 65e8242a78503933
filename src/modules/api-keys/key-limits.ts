import type { ApiKeyKind } from '../../platform/database/generated/client.ts';

/** Requests a minute, where a key has no limit of its own. */
export type KeyLimits = { organizationKey: number; userKey: number };

export const limitOfKind = (kind: ApiKeyKind, { organizationKey, userKey }: KeyLimits): number =>
  kind === 'ORGANIZATION' ? organizationKey : userKey;
