import { atMost } from '../../bench/goals.ts';
import { amplifiers } from '../../support/amplifiers.ts';
import { start, temporaryDirectory } from '../../support/process.ts';
import { bearer, vaultSecret } from '../../support/vault.ts';
import { exactlyZero, type Proof } from '../proof.ts';

/** The limits for a file of this size, as docs/operate/vault.md and vault.yaml document them. */
const textMax = (bytes: number) => Math.max(1_048_576, bytes * 64);
const passagesMax = (bytes: number) => Math.ceil(textMax(bytes) / 1_024);
/** A file that takes longer than this is aborted and counted as too large. */
const waitMs = 20_000;
const quickCases = /long column|50,000 cells|sheet 20,000|tables in tables/;

export const proof: Proof = {
  claim:
    'A small file cannot create a large index: the size of the file limits its text and passages, and a refusal names the limit',
  long: true,
  async measure({ quick, log }) {
    const directory = temporaryDirectory();
    const settings = { DATA_DIR: directory.path, DATABASE_URL: '', VAULT_SECRET: vaultSecret };
    const running = await start(settings);
    const url = running.addresses['vault'] ?? '';
    const putDocument = async (document: string, body: Uint8Array | string) => {
      const response = await fetch(`${url}/v1/collections/proof/documents/${document}`, {
        method: 'PUT',
        headers: bearer(vaultSecret),
        body: Buffer.from(body),
        signal: AbortSignal.timeout(waitMs),
      });
      return { status: response.status, body: JSON.parse(await response.text()) };
    };
    let [tooLargeCount, unclearCount, unreadCount] = [0, 0, 0];
    let [textShare, passagesShare] = [0, 0];
    try {
      const honestText =
        'Holidays are thirty days a year, and the harbour pilot boards two miles west.';
      if ((await putDocument('before', honestText)).status !== 200) unreadCount += 1;
      for (const [index, { name, create }] of amplifiers
        .filter((amplifier) => !quick || quickCases.test(amplifier.name))
        .entries()) {
        const content = create();
        const startedAt = performance.now();
        const answer = await putDocument(`a${index}`, content).catch(() => undefined);
        const seconds = `${((performance.now() - startedAt) / 1_000).toFixed(1)} s`;
        const size = `${name}, ${content.length.toLocaleString('en')} bytes, ${seconds}`;
        if (answer?.status === 200) {
          const { characters, passages: count } = answer.body;
          log(
            `${size}: ${characters.toLocaleString('en')} characters, ${count.toLocaleString('en')} passages`,
          );
          textShare = Math.max(textShare, characters / textMax(content.length));
          passagesShare = Math.max(passagesShare, count / passagesMax(content.length));
          if (characters > textMax(content.length) || count > passagesMax(content.length))
            tooLargeCount += 1;
        } else if (answer) {
          log(`${size}: ${answer.status} ${answer.body.code}: ${answer.body.message}`);
          if (
            !/^TOO_(LARGE_TEXT|MANY_PASSAGES)$/.test(answer.body.code) ||
            !/remove|split/.test(answer.body.message)
          )
            unclearCount += 1;
        } else {
          log(`${size}: no answer within ${waitMs / 1_000} s`);
          tooLargeCount += 1;
        }
        if ((await putDocument(`honest${index}`, `${honestText} ${index}`)).status !== 200)
          unreadCount += 1;
      }
      const list = await fetch(`${url}/v1/collections/proof/documents?limit=1000`, {
        headers: bearer(vaultSecret),
      });
      if (!(await list.text()).includes('"before"')) unreadCount += 1;
      return [
        exactlyZero('small files with more text or passages than their size allows', tooLargeCount),
        exactlyZero('refusals that do not name the limit and a remedy', unclearCount),
        exactlyZero('honest documents that were not indexed meanwhile, or were lost', unreadCount),
        atMost(1, {
          figure: 'largest text of a file, relative to its limit',
          value: Number(textShare.toFixed(2)),
          unit: '',
        }),
        atMost(1, {
          figure: 'largest number of passages of a file, relative to its limit',
          value: Number(passagesShare.toFixed(2)),
          unit: '',
        }),
      ];
    } finally {
      running.process.kill('SIGKILL');
      await running.ended;
      directory.remove();
    }
  },
};
