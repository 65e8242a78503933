import type { Clock } from '../../platform/clock.ts';
import type { Database } from '../../platform/database/database.ts';
import type { Language } from '../../platform/database/generated/client.ts';

/** Stores the language of a person. It is the same in all their organizations. */
export async function setLanguage(
  { userId, language }: { userId: string; language: Language },
  { database, clock }: { database: Database; clock: Clock },
): Promise<void> {
  await database.sql`
    update users set language = ${language}, updated_at = ${clock()} where id = ${userId}`;
}
