import type { Database } from '../../src/platform/database/database.ts';

/** While `work` runs, each row that `when` tells of goes through the body of a trigger. */
export async function withTrigger<T>(
  { prisma }: Database,
  when: string,
  body: string,
  work: () => Promise<T>,
): Promise<T> {
  await prisma.$executeRawUnsafe(
    `create function meddle() returns trigger language plpgsql as $$ begin ${body} end $$`,
  );
  await prisma.$executeRawUnsafe(
    `create trigger meddle ${when} for each row execute function meddle()`,
  );
  try {
    return await work();
  } finally {
    await prisma.$executeRawUnsafe('drop function meddle cascade');
  }
}
