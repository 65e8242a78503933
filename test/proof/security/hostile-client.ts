import { readFileSync } from 'node:fs';
import { setTimeout as pause } from 'node:timers/promises';
import { type Seeded, tenantOf } from './two-tenants.ts';

// The hostile organization as a process of its own, so that what it computes does not delay the
// quiet one's clock. It begins with "begin" on standard input, ends with "end", and then tells its
// answers by status. Only noisy-neighbour.proof.ts starts it.

const [, , address = '', seededFile = '', documentId = ''] = process.argv;
const seeded: Seeded = JSON.parse(readFileSync(seededFile, 'utf8'));
const hostile = tenantOf(address, seeded);
const textBytes = 200_000;
const texts = Array.from({ length: 24 }, () => wordsOf(textBytes));
let sent = 0;
let isOver = true;
let loops: Promise<void>[] = [];
let statuses: Record<string, number> = {};

const excerpt = `assistantFileExcerpt(assistantId: "${hostile.assistantId}", documentId: "${documentId}", start: 0, end: 20) { parts { text } }`;
const aliases = `{ ${Array.from({ length: 20 }, (_, index) => `a${index}: ${excerpt}`).join(' ')} }`;

/**
 * Each as fast as it is answered; a refusal is repeated as a client does that ignores Retry-After.
 */
async function loop(ask: () => Promise<{ status: number }>): Promise<void> {
  while (!isOver) {
    const status = await ask().then(
      (answer) => answer.status,
      () => 0,
    );
    statuses[status] = (statuses[status] ?? 0) + 1;
    if (status !== 200) await pause(50);
  }
}

function uploadNext() {
  sent += 1;
  return hostile.upload(`${Date.now()} ${sent}\n${texts[sent % texts.length]}`);
}

/** Words that no other file has. */
function wordsOf(bytes: number): string {
  const words = Array.from({ length: bytes / 10 }, () => Math.random().toString(36).slice(2, 11));
  return words.join(' ').replaceAll(/((?:\S+ ){12})/g, '$1\n');
}

const times = (count: number, ask: () => Promise<{ status: number }>) =>
  Array.from({ length: count }, () => loop(ask));

process.stdin.on('data', async (order: Buffer) => {
  if (order.toString().startsWith('begin')) {
    isOver = false;
    statuses = {};
    loops = [
      ...times(8, () => hostile.graph(aliases)),
      ...times(8, () =>
        hostile.run(
          'Which of these words and sentences say anything at all about the travel expenses?',
        ),
      ),
      ...times(6, uploadNext),
    ];
    return;
  }
  isOver = true;
  await Promise.all(loops);
  process.stdout.write(`${JSON.stringify(statuses)}\n`);
});
process.stdout.write('ready\n');
