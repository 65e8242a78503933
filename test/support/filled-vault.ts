import { expect } from 'vitest';
import { type TestOrganization, testApp } from './app.ts';
import { assistantOf, personIn, share } from './assistants.ts';
import { createProcessedFile } from './search-vault-stub.ts';
import { signIn } from './sign-in.ts';
import { startVaultServers } from './vault-servers.ts';

const texts: Record<string, string> = {
  'travel.txt': 'Travel expenses are paid back within two weeks. Keep every receipt.',
  'copy.txt': 'Travel expenses are paid back within two weeks. Keep every receipt!',
  'leave.txt':
    'Employees have thirty days of vacation in a year. Days of travel count as days of work.',
};

export type FilledVault = Awaited<ReturnType<typeof filledVault>>;

/**
 * An application with a real vault and an assistant with three files, and the administrator who may
 * see it.
 */
export async function filledVault(settings: Record<string, string> = {}) {
  const vault = await startVaultServers();
  const app = await testApp({ USER_KEY_LIMIT: '100000', ...settings }, { vault: vault.client });
  const organization = await app.organization();
  const colleague = await personIn(app, organization);
  const assistantId = await assistantOf(colleague);
  await share(colleague, assistantId, 'VIEW', { userId: organization.administratorId });

  /** Creates a processed file with its passages in the vault. */
  async function addDocument(
    owner: TestOrganization,
    assistant: string,
    name: string,
    text: string,
  ): Promise<string> {
    const id = await createProcessedFile(app, owner, assistant, name);
    expect((await vault.put(assistant, id, text)).status).toBe(200);
    return id;
  }
  const fileIds: string[] = [];
  for (const [name, text] of Object.entries(texts))
    fileIds.push(await addDocument(organization, assistantId, name, text));
  return {
    vault,
    app,
    organization,
    colleague,
    assistantId,
    fileIds,
    addDocument,
    administrator: await signIn(app, organization.administratorId),
    async close() {
      await app.close();
      await vault.close();
    },
  };
}
