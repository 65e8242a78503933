import type { ApiKeyKind } from '../../platform/database/generated/client.ts';

/** The default limits: requests per minute of a key without a separate limit. */
export type KeyLimits = { organizationKey: number; userKey: number };

export const limitOfKind = (kind: ApiKeyKind, { organizationKey, userKey }: KeyLimits): number =>
  kind === 'ORGANIZATION' ? organizationKey : userKey;
