import { afterAll, beforeAll, expect, it, vi } from 'vitest';
import { removeNextLeftover } from '../../../src/modules/assistant-files/processing/remove-leftovers.ts';
import { type TestApp, testApp } from '../../support/app.ts';
import { assistantOf, personIn } from '../../support/assistants.ts';
import { fileIdIn, filesOf } from '../../support/files.ts';

let app: TestApp;
beforeAll(async () => {
  app = await testApp();
});
afterAll(() => app.close());

it('The file processor leaves a deletion to its request, which counts the removed passages', async () => {
  const person = await personIn(app, await app.organization());
  const files = filesOf(app, person, await assistantOf(person));
  const id = fileIdIn(await files.upload('Employees get 30 days of vacation.'));
  const { vault } = app.contextParts.files;
  let removedBefore = false;
  const remove = vi.spyOn(vault, 'remove').mockImplementation(async () => {
    const isFirst = remove.mock.calls.length === 1;
    if (isFirst)
      removedBefore = await removeNextLeftover({ ...app, files: app.contextParts.files });
    return { existed: isFirst, passages: isFirst ? 4 : 0 };
  });
  const { status, body } = await files.remove(id);
  expect(status).toBe(200);
  expect(body).toMatchObject({ deleted: { original: true, passages: 4, pending: false } });
  expect(removedBefore).toBe(false);
  expect(remove).toHaveBeenCalledOnce();
});
