import { expect, it } from 'vitest';
import { testApp } from '../support/app.ts';

it('/readyz says no more that it is ready when the stop began while the database was asked', async () => {
  const app = await testApp();
  // No connection is free for it before these have ended.
  const { promise: held, resolve: letGo } = Promise.withResolvers<void>();
  const holding = Promise.all(
    Array.from({ length: 20 }, () => app.database.prisma.$transaction(() => held)),
  );
  await expect.poll(() => app.database.connections().waiting).toBeGreaterThan(0);
  const readiness = app.request('GET', '/readyz');
  await new Promise(setImmediate);
  app.stop();
  letGo();
  expect(await readiness).toMatchObject({ status: 503, body: { status: 'stopping' } });
  await holding;
});
