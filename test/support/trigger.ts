import type { Database } from '../../src/platform/database/database.ts';

/** While `run` runs, a trigger with this body is called for each row that `when` describes. */
export async function withTrigger<T>(
  { prisma }: Database,
  when: string,
  body: string,
  run: () => Promise<T>,
): Promise<T> {
  await prisma.$executeRawUnsafe(
    `create function meddle() returns trigger language plpgsql as $$ begin ${body} end $$`,
  );
  await prisma.$executeRawUnsafe(
    `create trigger meddle ${when} for each row execute function meddle()`,
  );
  try {
    return await run();
  } finally {
    await prisma.$executeRawUnsafe('drop function meddle cascade');
  }
}
