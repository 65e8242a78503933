import { it, expect } from 'vitest';
import { testDatabase } from '../../support/database.ts';
for (let i = 0; i < 4; i++) it('x' + i, async () => {
  const t = performance.now();
  const db = await testDatabase();
  const o = performance.now() - t;
  await db.ping();
  expect(await db.prisma.user.count()).toBe(0);
  const q = performance.now() - t;
  await db.close();
  process.stderr.write(`${o} ${q} ${performance.now() - t}\n`);
});
