import { expect, it } from 'vitest';
import { testApp } from '../support/app.ts';

it('/readyz says no more that it is ready when the stop began while the database was asked', async () => {
  const app = await testApp();
  // No connection is free for it before these have ended.
  const holding = Array.from({ length: 20 }, () => app.database.prisma.$queryRaw`select 1 as one from pg_sleep(0.3)`);
  const readiness = app.request('GET', '/readyz');
  await new Promise(setImmediate);
  app.stop();
  expect(await readiness).toMatchObject({ status: 503, body: { status: 'stopping' } });
  await Promise.all(holding);
});
