import { atMost } from '../../bench/goals.ts';
import { amplifiers } from '../../support/amplifiers.ts';
import { start, temporaryDirectory } from '../../support/process.ts';
import { bearer, vaultSecret } from '../../support/vault.ts';
import { none, type Proof } from '../proof.ts';

/** What README and vault.yaml promise of a file of this size. */
const textMax = (bytes: number) => Math.max(1_048_576, bytes * 64);
const passagesMax = (bytes: number) => Math.ceil(textMax(bytes) / 1_024);
/** A reading that goes on for longer than this is counted as too much and ended. */
const waitMs = 20_000;
const quickly = /long column|50,000 cells|sheet 20,000|tables in tables/;

export const proof: Proof = {
  claim:
    'a small file becomes no large index: its text and passages are bounded by its size, and the refusal says why',
  long: true,
  async attempt({ quick, say }) {
    const directory = temporaryDirectory();
    const settings = { DATA_DIR: directory.path, DATABASE_URL: '', VAULT_SECRET: vaultSecret };
    const running = await start(settings);
    const url = running.addresses['vault'] ?? '';
    const put = async (document: string, body: Uint8Array | string) => {
      const response = await fetch(`${url}/v1/collections/proof/documents/${document}`, {
        method: 'PUT',
        headers: bearer(vaultSecret),
        body: Buffer.from(body),
        signal: AbortSignal.timeout(waitMs),
      });
      return { status: response.status, body: JSON.parse(await response.text()) };
    };
    let [tooMuch, unclear, unread] = [0, 0, 0];
    let [text, passages] = [0, 0];
    try {
      const honest =
        'Holidays are thirty days a year, and the harbour pilot boards two miles west.';
      if ((await put('before', honest)).status !== 200) unread += 1;
      for (const [index, { name, make }] of amplifiers
        .filter((amplifier) => !quick || quickly.test(amplifier.name))
        .entries()) {
        const content = make();
        const startedAt = performance.now();
        const answer = await put(`a${index}`, content).catch(() => undefined);
        const seconds = `${((performance.now() - startedAt) / 1_000).toFixed(1)} s`;
        const size = `${name}, ${content.length.toLocaleString('en')} bytes, ${seconds}`;
        if (answer?.status === 200) {
          const { characters, passages: count } = answer.body;
          say(
            `${size}: ${characters.toLocaleString('en')} characters, ${count.toLocaleString('en')} passages`,
          );
          text = Math.max(text, characters / textMax(content.length));
          passages = Math.max(passages, count / passagesMax(content.length));
          if (characters > textMax(content.length) || count > passagesMax(content.length))
            tooMuch += 1;
        } else if (answer) {
          say(`${size}: ${answer.status} ${answer.body.code}: ${answer.body.message}`);
          if (
            !/^TOO_(LARGE_TEXT|MANY_PASSAGES)$/.test(answer.body.code) ||
            !/remove|split/.test(answer.body.message)
          )
            unclear += 1;
        } else {
          say(`${size}: not answered within ${waitMs / 1_000} s`);
          tooMuch += 1;
        }
        if ((await put(`honest${index}`, `${honest} ${index}`)).status !== 200) unread += 1;
      }
      const found = await fetch(`${url}/v1/collections/proof/documents?limit=1000`, {
        headers: bearer(vaultSecret),
      });
      if (!(await found.text()).includes('"before"')) unread += 1;
      return [
        none('small files that became more text or passages than their size allows', tooMuch),
        none('refusals without the limit and the remedy', unclear),
        none('honest documents that were not read meanwhile, or were lost', unread),
        atMost(1, {
          figure: 'the most text of a file, as a share of what its size allows',
          value: Number(text.toFixed(2)),
          unit: '',
        }),
        atMost(1, {
          figure: 'the most passages of a file, as a share of what its size allows',
          value: Number(passages.toFixed(2)),
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
