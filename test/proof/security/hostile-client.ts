import { readFileSync } from 'node:fs';
import { setTimeout as pause } from 'node:timers/promises';
import { type SeededOrganization, tenantOf } from './two-tenants.ts';

// The client of the hostile organization. It is a separate process, so that its work does not delay
// the measurements of the quiet organization. It starts sending at "begin" on standard input, stops
// at "end", and then prints the number of its answers by status. noisy-neighbour.proof.ts starts
// it.

const [, , address = '', seededFile = '', documentId = ''] = process.argv;
const seeded: SeededOrganization = JSON.parse(readFileSync(seededFile, 'utf8'));
const hostileTenant = tenantOf(address, seeded);
const textBytes = 200_000;
const texts = Array.from({ length: 24 }, () => uniqueText(textBytes));
let sent = 0;
let isStopped = true;
let loops: Promise<void>[] = [];
let statuses: Record<string, number> = {};

const excerpt = `assistantFileExcerpt(assistantId: "${hostileTenant.assistantId}", documentId: "${documentId}", start: 0, end: 20) { parts { text } }`;
const aliases = `{ ${Array.from({ length: 20 }, (_, index) => `a${index}: ${excerpt}`).join(' ')} }`;

/** Repeats a request as soon as it is answered, and ignores the Retry-After of refusals. */
async function repeat(sendRequest: () => Promise<{ status: number }>): Promise<void> {
  while (!isStopped) {
    const status = await sendRequest().then(
      (answer) => answer.status,
      () => 0,
    );
    statuses[status] = (statuses[status] ?? 0) + 1;
    if (status !== 200) await pause(50);
  }
}

function uploadNext() {
  sent += 1;
  return hostileTenant.upload(`${Date.now()} ${sent}\n${texts[sent % texts.length]}`);
}

/** Random words that no other file contains. */
function uniqueText(bytes: number): string {
  const words = Array.from({ length: bytes / 10 }, () => Math.random().toString(36).slice(2, 11));
  return words.join(' ').replaceAll(/((?:\S+ ){12})/g, '$1\n');
}

const repeatParallel = (count: number, sendRequest: () => Promise<{ status: number }>) =>
  Array.from({ length: count }, () => repeat(sendRequest));

process.stdin.on('data', async (command: Buffer) => {
  if (command.toString().startsWith('begin')) {
    isStopped = false;
    statuses = {};
    loops = [
      ...repeatParallel(8, () => hostileTenant.graph(aliases)),
      ...repeatParallel(8, () =>
        hostileTenant.run(
          'Which of these words and sentences say anything at all about the travel expenses?',
        ),
      ),
      ...repeatParallel(6, uploadNext),
    ];
    return;
  }
  isStopped = true;
  await Promise.all(loops);
  process.stdout.write(`${JSON.stringify(statuses)}\n`);
});
process.stdout.write('ready\n');
