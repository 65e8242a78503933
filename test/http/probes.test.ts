import { expect, it } from 'vitest';
import { testApp } from '../support/app.ts';

it('/readyz reports "stopping" if the shutdown started while the database was being checked', async () => {
  const app = await testApp();
  // The check gets no connection before these transactions have ended.
  const { promise: released, resolve: release } = Promise.withResolvers<void>();
  const transactions = Promise.all(
    Array.from({ length: 20 }, () => app.database.prisma.$transaction(() => released)),
  );
  await expect.poll(() => app.database.connections().waiting).toBeGreaterThan(0);
  const readiness = app.request('GET', '/readyz');
  await new Promise(setImmediate);
  app.stop();
  release();
  expect(await readiness).toMatchObject({ status: 503, body: { status: 'stopping' } });
  await transactions;
});
