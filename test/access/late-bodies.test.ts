import { describe, expect, it } from 'vitest';
import { createAdmission } from '../../src/access/admission.ts';
import type { Viewer } from '../../src/access/context.ts';

const viewer = { kind: 'USER_KEY', keyId: 'k', userId: 'u', organizationId: 'o' } as Viewer;
const notExceeded = {
  limit: 1,
  remaining: 1,
  resetAtSeconds: 0,
  retryAfterSeconds: 0,
  exceeded: false,
};

/** Admits a request, and records the turns that its organization has taken. */
async function admit({ hasArrived, type }: { hasArrived: boolean; type: string }) {
  const turns: string[] = [];
  const admission = createAdmission({
    identify: async () => viewer,
    originOf: () => '',
    clientAddressOf: () => undefined,
    pacer: {
      start: async (organizationId: string) => {
        turns.push(organizationId);
        return () => undefined;
      },
    },
    env: {
      USER_KEY_LIMIT: 1,
      ORGANIZATION_KEY_LIMIT: 1,
      ORGANIZATION_LIMIT: 1,
      ANONYMOUS_LIMIT: 1,
    },
    services: {
      limits: { consume: async () => notExceeded },
      database: { within: () => ({}) },
    },
  } as unknown as Parameters<typeof createAdmission>[0]);
  const request = new Request('http://localhost/graphql', { headers: { 'content-type': type } });
  const requestContext: Parameters<typeof admission>[1] = {
    requestId: '',
    headers: {},
    hasArrived: () => hasArrived,
  };
  const { currentViewer } = await admission(request, requestContext);
  return { turns, currentViewer };
}

describe('The turn of a request', () => {
  it('A request whose body is still arriving takes its turn after the body, and only once', async () => {
    const { turns, currentViewer } = await admit({ hasArrived: false, type: 'application/json' });
    expect(turns).toEqual([]);
    await currentViewer();
    expect(turns).toEqual(['o']);
    await currentViewer();
    expect(turns).toEqual(['o']);
  });

  it('A request that has arrived takes its turn when it is admitted, and only once', async () => {
    const { turns, currentViewer } = await admit({ hasArrived: true, type: 'application/json' });
    expect(turns).toEqual(['o']);
    await currentViewer();
    expect(turns).toEqual(['o']);
  });

  it('An upload takes its turn before it is read', async () => {
    const { turns } = await admit({ hasArrived: false, type: 'multipart/form-data; boundary=x' });
    expect(turns).toEqual(['o']);
  });
});
