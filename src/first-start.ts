import { createSetupLink } from './modules/accounts/create-setup-link.ts';
import type { FileServices } from './modules/assistant-files/file-services.ts';
import { makeAssistants } from './modules/demo/make-assistants.ts';
import { makeWorkspace } from './modules/demo/make-workspace.ts';
import { uploadHandbook } from './modules/demo/upload-handbook.ts';
import { features } from './modules/organizations/features.ts';
import type { Clock } from './platform/clock.ts';
import type { Database } from './platform/database/database.ts';
import { uniqueViolation } from './platform/database/faults.ts';
import type { Env } from './platform/env.ts';

type WelcomeParts = {
  env: Pick<Env, 'NODE_ENV'>;
  database: Database;
  clock: Clock;
  files: Pick<FileServices, 'storage' | 'wake' | 'quotas'>;
  origin: string;
};

/**
 * What the first start on an empty database prints: a demo workspace and its keys, or in production
 * the way to the first administrator.
 */
export async function prepareFirstStart({
  env,
  database,
  clock,
  files,
  origin,
}: WelcomeParts): Promise<void> {
  if ((await database.prisma.organization.findFirst({ select: { id: true } })) !== null) return;
  if (env.NODE_ENV === 'production') {
    const path = await createSetupLink({ database, clock });
    if (path)
      process.stdout.write(
        `\nNobody is here yet. This link makes the first administrator; it works once, for a day:\n\n  ${origin}${path}\n\n`,
      );
    return;
  }
  const workspace = await makeWorkspace(
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
  ).catch(unlessItIsThere);
  // Another process that started at the same moment has made it, and tells of it.
  if (!workspace) return;
  workspace.assistants = await makeAssistants(workspace, { database, clock });
  await uploadHandbook(workspace, { database, clock, files });
  const { organizationKey, users, assistants } = workspace;
  const [userKey, assistantId] = [users[0]?.userKey, assistants[0]?.id];
  const people = users.map(
    ({ role, email, password, userKey }) =>
      `  ${role.padEnd(7)} ${email}  password ${password}  key ${userKey}`,
  );
  process.stdout.write(`
A demo workspace was made. Its keys are shown this once:

  organization key  ${organizationKey}
${people.join('\n')}

Its assistant “Handbook” has four files to answer from. Try it:

  curl -H 'Authorization: Bearer ${userKey}' ${origin}/api/assistants/v1/
  curl -H 'Authorization: Bearer ${userKey}' ${origin}/api/assistant-files/v1/assistants/${assistantId}/files
  curl -H 'Authorization: Bearer ${userKey}' -H 'Content-Type: application/json' -d '{"messages":[{"role":"user","content":"How much is the meal allowance in Germany?"}]}' ${origin}/api/assistants/v1/${assistantId}/run
  curl -H 'Authorization: Bearer ${organizationKey}' -H 'Content-Type: application/json' -d '{"email":"new@demo.example","firstName":"New"}' ${origin}/api/user-management/v1/users
  curl -H 'Authorization: Bearer ${organizationKey}' -H 'Content-Type: application/json' -d '{"query":"{ users { total items { email teams { name memberCount } } } }"}' ${origin}/graphql

`);
}

function unlessItIsThere(fault: unknown): undefined {
  if (!uniqueViolation(fault)) throw fault;
}
