import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it, vi } from 'vitest';
import { formOf, formType } from './support/files.ts';
import { serversOfTests } from './support/servers-of-tests.ts';

vi.setConfig({ testTimeout: 120_000 });

const { startForTest, directory } = serversOfTests();

it('A program that starts without settings in a new directory answers a question about an uploaded file', async () => {
  const workingDirectory = directory();
  const { address, output } = await startForTest({}, [], workingDirectory);
  expect(existsSync(join(workingDirectory, '.data'))).toBe(true);
  const [, key = '', assistantId = ''] =
    /Bearer (\S+)'.*\/assistants\/([^/]+)\/files\n/.exec(output()) ?? [];
  const call = async (path: string, type: string, body: string | Uint8Array<ArrayBuffer>) => {
    const response = await fetch(`${address}/api/${path}`, {
      method: 'POST',
      headers: { authorization: `Bearer ${key}`, 'content-type': type },
      body,
    });
    return response.json();
  };
  const sentence = 'The lighthouse of Norderney has 253 steps.';
  const form = formOf([
    { name: 'file', fileName: 'lighthouse.txt', type: 'text/plain', content: sentence },
  ]);
  expect(
    await call(`assistant-files/v1/assistants/${assistantId}/files`, formType, form),
  ).toMatchObject({ success: true, file: { originalName: 'lighthouse.txt' } });
  const question = { role: 'user', content: 'How many steps has the lighthouse of Norderney?' };
  const ask = async () => {
    const run = `assistants/v1/${assistantId}/run`;
    return call(run, 'application/json', JSON.stringify({ messages: [question] }));
  };
  // Files are processed in the background.
  await expect
    .poll(ask, { timeout: 60_000, interval: 500 })
    .toMatchObject({ citations: ['lighthouse.txt'], text: expect.stringContaining('253') });
});
