import { randomUUID } from 'node:crypto';
import { hashPassword } from '../../src/modules/accounts/passwords/password.ts';
import { type SessionCookies, signInCookies } from '../support/sign-in-cookies.ts';
import { fillOrganization } from './fill.ts';
import { fillFiles } from './fill-files.ts';
import { fillSponsorship } from './fill-sponsorship.ts';
import type { BenchDatabase } from './postgres.ts';

export type ConsoleSize = {
  conversations: number;
  files: number;
  assistants: number;
  redemptions: number;
};

type FilledConsole = { cookies: SessionCookies; libraryId: string };

const person = { email: 'ada@console.example', password: 'a long enough passphrase' };

/**
 * Creates an organization with much data, and a person who administers it and owns all assistants.
 * Returns the cookies of the person's session and the assistant with the files.
 */
export async function fillConsole(
  run: BenchDatabase['run'],
  origin: string,
  { conversations, files, assistants, redemptions }: ConsoleSize,
  seed: number,
): Promise<FilledConsole> {
  const { organizationId } = await fillOrganization(run, {
    slug: 'console',
    users: 1_000,
    features: ['userManagement', 'partnerSponsorship', 'assistantFiles'],
    seed,
  });
  const userId = randomUUID();
  await run(
    `with person as (
       insert into users (id, email, first_name, last_name, email_verified) values ($1, $2, 'Ada', 'Amsel', true) returning id)
     insert into accounts (id, user_id, account_id, provider_id, password) select id, id, id, 'credential', $3 from person`,
    [userId, person.email, await hashPassword(person.password)],
  );
  await run(
    `insert into memberships (organization_id, user_id, user_created_at, role, accepted_at)
     select $1, id, created_at, 'ADMIN', now() from users where id = $2`,
    [organizationId, userId],
  );
  const { assistantId: libraryId } = await fillFiles(run, organizationId, files);
  await run(
    `insert into assistants (id, organization_id, name)
     select $1 || '-assistant-' || i, $1, 'Assistant ' || i from generate_series(1, $2::int) i`,
    [organizationId, assistants - 2],
  );
  await run(
    `insert into assistant_shares (id, assistant_id, organization_id, user_id, level)
     select id || '-person', id, organization_id, $2, 'OWNER' from assistants where organization_id = $1`,
    [organizationId, userId],
  );
  await run(
    `insert into conversations (id, organization_id, user_id, assistant_id, title, active_message_id, message_count, created_at, updated_at)
     select gen_random_uuid()::text, $1, $2, $3, 'Question ' || i || ' about the travel expenses of the year', 'message-' || i, 2,
       now() - i * interval '1 hour', now() - i * interval '1 hour'
     from generate_series(1, $4::int) i`,
    [organizationId, userId, libraryId, conversations],
  );
  await fillSponsorship(run, organizationId, { campaigns: 1_000, links: 10_000, redemptions });
  await run('vacuum analyze');
  return { cookies: await signInCookies(origin, person), libraryId };
}
