import { createSetupLink } from './modules/accounts/create-setup-link.ts';
import { makeWorkspace } from './modules/demo/make-workspace.ts';
import { features } from './modules/organizations/features.ts';
import type { Clock } from './platform/clock.ts';
import type { Database } from './platform/database/database.ts';
import type { Env } from './platform/env.ts';

type WelcomeParts = { env: Pick<Env, 'NODE_ENV'>; database: Database; clock: Clock; origin: string };

/** What the first start on an empty database prints: a demo workspace and its keys, or in production the way to the first administrator. */
export async function welcome({ env, database, clock, origin }: WelcomeParts): Promise<void> {
  if ((await database.prisma.organization.findFirst({ select: { id: true } })) !== null) return;
  if (env.NODE_ENV === 'production') {
    const path = await createSetupLink({ database, clock });
    if (path) process.stdout.write(`\nNobody is here yet. This link makes the first administrator; it works once, for a day:\n\n  ${origin}${path}\n\n`);
    return;
  }
  const { organizationKey, users } = await makeWorkspace(
    {
      slug: 'demo',
      name: 'Demo Workspace',
      features,
      team: 'Support',
      people: [
        { role: 'admin', email: 'ada@demo.example', firstName: 'Ada', lastName: 'Amsel' },
        { role: 'member', email: 'emil@demo.example', firstName: 'Emil', lastName: 'Esche' },
      ],
    },
    { database, clock },
  );
  const people = users.map(({ role, email, password, userKey }) => `  ${role.padEnd(7)} ${email}  password ${password}  key ${userKey}`);
  process.stdout.write(`
A demo workspace was made. Its keys are shown this once:

  organization key  ${organizationKey}
${people.join('\n')}

Try it:

  curl -H 'Authorization: Bearer ${organizationKey}' ${origin}/api/user-management/v1/users
  curl -H 'Authorization: Bearer ${organizationKey}' -H 'Content-Type: application/json' -d '{"email":"new@demo.example","firstName":"New"}' ${origin}/api/user-management/v1/users
  curl -H 'Authorization: Bearer ${organizationKey}' -H 'Content-Type: application/json' -d '{"query":"{ users { total items { email teams { name memberCount } } } }"}' ${origin}/graphql

`);
}
