import { expect } from 'vitest';
import { type TestOrganization, testApp } from './app.ts';
import { assistantOf, personIn, share } from './assistants.ts';
import { fileOf } from './shelf.ts';
import { signIn } from './sign-in.ts';
import { vaultParts } from './vault-parts.ts';

const texts: Record<string, string> = {
  'travel.txt': 'Travel expenses are paid back within two weeks. Keep every receipt.',
  'copy.txt': 'Travel expenses are paid back within two weeks. Keep every receipt!',
  'leave.txt':
    'Employees have thirty days of vacation in a year. Days of travel count as days of work.',
};

export type FilledVault = Awaited<ReturnType<typeof filledVault>>;

/**
 * A real vault behind an application, with an assistant whose three files are in it, and the
 * administrator who may see it.
 */
export async function filledVault(settings: Record<string, string> = {}) {
  const parts = await vaultParts();
  const app = await testApp({ USER_KEY_LIMIT: '100000', ...settings }, { vault: parts.client });
  const us = await app.organization();
  const colleague = await personIn(app, us);
  const assistantId = await assistantOf(colleague);
  await share(colleague, assistantId, 'VIEW', { userId: us.administratorId });

  /** A file that is processed, and its passages in the vault. */
  async function shelved(
    organization: TestOrganization,
    assistant: string,
    name: string,
    text: string,
  ): Promise<string> {
    const id = await fileOf(app, organization, assistant, name);
    expect((await parts.put(assistant, id, text)).status).toBe(200);
    return id;
  }
  const fileIds: string[] = [];
  for (const [name, text] of Object.entries(texts))
    fileIds.push(await shelved(us, assistantId, name, text));
  return {
    parts,
    app,
    us,
    colleague,
    assistantId,
    fileIds,
    shelved,
    administrator: await signIn(app, us.administratorId),
    async close() {
      await app.close();
      await parts.close();
    },
  };
}
