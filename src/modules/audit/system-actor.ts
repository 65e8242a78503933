import type { Actor } from './record-change.ts';

/** Atrium as the sender of a change that no request caused. */
export const systemActor = (organizationId: string): Actor => ({
  organizationId,
  kind: 'SYSTEM',
  keyId: null,
  userId: null,
  requestId: null,
});
