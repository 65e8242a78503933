import { filesPath, makeAssistant } from '../assistant.ts';
import type { Suite } from '../suite.ts';

const megabyte = 1_048_576;

/** Bodies that are refused before they were read, and what is wrong below HTTP: D5, D21, D22. */
export async function checkWire(suite: Suite): Promise<void> {
  const { check } = suite;
  const api = suite.api('user-key', 'refused uploads');
  if (!api) return;
  const assistantId = await makeAssistant(suite, api, `${suite.prefix} wire`);
  const form = (bytes: number) => {
    const body = new FormData();
    body.set('file', new File([new Uint8Array(bytes)], 'zeros.bin'));
    return { body };
  };
  const organization = suite.api('org-key', 'json bodies that are too large');
  if (organization) {
    const fitting = await organization.send('POST', '/api/user-management/v1/users/add', {
      body: `{"email":"nobody"${' '.repeat(megabyte - 100)}}`,
      headers: { 'content-type': 'application/json' },
    });
    check('D5 a JSON body of almost 1 MiB is read', fitting, fitting.status, 400);
  }
  if (suite.large) {
    const exact = await api.send('POST', filesPath(assistantId), form(150 * megabyte));
    check('D21 a file of 157,286,400 bytes is accepted', exact, exact.status, 200);
    check('D21 a file of 157,286,400 bytes has that size', exact, exact.at('file.size'), 157_286_400);
    await api.delete(`${filesPath(assistantId)}/${exact.at('file.id')}`);
  } else suite.report.leftOut.set('a file of exactly 150 MB', '--large is not given');
}
