import { createSetupLink } from './modules/accounts/setup/create-setup-link.ts';
import type { FileServices } from './modules/assistant-files/file-services.ts';
import { makeAssistants } from './modules/demo/make-assistants.ts';
import { makeWorkspace } from './modules/demo/make-workspace.ts';
import { uploadHandbook } from './modules/demo/upload-handbook.ts';
import { features } from './modules/organizations/features.ts';
import type { Clock } from './platform/clock.ts';
import type { Database } from './platform/database/database.ts';
import { uniqueViolation } from './platform/database/faults.ts';
import type { Env } from './platform/env.ts';
import type { Log } from './platform/log.ts';

type FirstStartDependencies = {
  env: Pick<Env, 'NODE_ENV'>;
  database: Database;
  clock: Clock;
  files: Pick<FileServices, 'storage' | 'wake' | 'quotas'>;
  origin: string;
  log: Pick<Log, 'info'>;
};

/**
 * On the first start with an empty database, creates a demo workspace and returns a welcome with its
 * keys; in production the welcome has a setup link for the first administrator instead.
 */
export async function prepareFirstStart({
  env,
  database,
  clock,
  files,
  origin,
  log,
}: FirstStartDependencies): Promise<string | undefined> {
  if ((await database.sql`select id from organizations limit 1`).length > 0) return undefined;
  if (env.NODE_ENV === 'production') {
    const path = await createSetupLink({ database, clock });
    return path
      ? `\nThere is no administrator yet. Open this link to create the first one; it works once and expires after a day:\n\n  ${origin}${path}\n\n`
      : undefined;
  }
  log.info('creating a demo workspace');
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
  ).catch(ignoreDuplicate);
  // Another process started at the same moment, created the workspace and prints its keys.
  if (!workspace) return undefined;
  workspace.assistants = await makeAssistants(workspace, { database, clock });
  await uploadHandbook(workspace, { database, clock, files });
  const { organizationKey, users, assistants } = workspace;
  const [userKey, assistantId] = [users[0]?.userKey, assistants[0]?.id];
  const people = users.map(
    ({ role, email, password, userKey }) =>
      `  ${role.padEnd(7)} ${email}  password ${password}  key ${userKey}`,
  );
  return `
A demo workspace was created. Its keys are shown only once:

  organization key  ${organizationKey}
${people.join('\n')}

Its assistant “Handbook” answers from four files. Try it:

  curl -H 'Authorization: Bearer ${userKey}' ${origin}/api/assistants/v1/
  curl -H 'Authorization: Bearer ${userKey}' ${origin}/api/assistant-files/v1/assistants/${assistantId}/files
  curl -H 'Authorization: Bearer ${userKey}' -H 'Content-Type: application/json' -d '{"messages":[{"role":"user","content":"How much is the meal allowance in Germany?"}]}' ${origin}/api/assistants/v1/${assistantId}/run
  curl -H 'Authorization: Bearer ${organizationKey}' -H 'Content-Type: application/json' -d '{"email":"new@demo.example","firstName":"New"}' ${origin}/api/user-management/v1/users
  curl -H 'Authorization: Bearer ${organizationKey}' -H 'Content-Type: application/json' -d '{"query":"{ users { totalCount nodes { email teams { name memberCount } } } }"}' ${origin}/graphql

`;
}

function ignoreDuplicate(error: unknown): undefined {
  if (!uniqueViolation(error)) throw error;
}
