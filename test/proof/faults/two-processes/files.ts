import { atMost } from '../../../bench/goals.ts';
import { type Attempt, type Finding, none } from '../../proof.ts';
import { ask, msUntil } from './asking.ts';
import { killed, type Programs } from './programs.ts';

const done = ['COMPLETED', 'FAILED'];

/**
 * Uploaded here, read there; and every file is read into the index once, whoever of the two does
 * it.
 */
export async function fileFindings(
  { first, second, address, files, userKey: key, database }: Programs,
  { quick }: Attempt,
): Promise<Finding[]> {
  const content = 'The bicycle shed of the annex is opened with the code that the janitor tells.\n';
  const made = await upload(first.address, { files, key }, 'shed.txt', content);
  const read = async (path: string) => ask(second.address, `${files}/${made}${path}`, { key });
  await msUntil(
    async () =>
      done.includes(
        String(Object((await read('')).body['file'] ?? (await read('')).body)['processingStatus']),
      ),
    60_000,
  );
  const listed = (await ask(second.address, files, { key })).text.includes(made);
  const same = (await read('/content')).text === content;
  const asked = {
    messages: [{ role: 'user', content: 'How is the bicycle shed of the annex opened?' }],
  };
  const run = await ask(
    second.address,
    files.replace(
      /^\/api\/assistant-files\/v1\/assistants\/([^/]+)\/files$/,
      '/api/assistants/v1/$1/run',
    ),
    {
      ...{ method: 'POST', key, json: asked },
    },
  );
  const cited = JSON.stringify(run.body['citations']) === '["shed.txt"]';

  const count = quick ? 6 : 30;
  const names = Array.from({ length: count }, (_, index) => `once-${index}.txt`);
  await Promise.all(
    names.map((name) =>
      upload(
        address,
        { files, key },
        name,
        `${name} stands for itself. ${'So it does. '.repeat(200)}`,
      ),
    ),
  );
  await msUntil(
    async () =>
      (await database.prisma.assistantFile.count({
        where: { status: { in: ['PENDING', 'PROCESSING'] } },
      })) === 0,
    120_000,
  );
  const rows = await database.prisma.assistantFile.findMany({
    select: { status: true, attempts: true, originalName: true },
  });
  const mine = rows.filter(({ originalName }) => names.includes(originalName));
  return [
    {
      figure: 'ways in which one program has a file of the other: listed, read, cited',
      value: [listed, same, cited].filter(Boolean).length,
      unit: '',
      goal: '3',
      held: listed && same && cited,
    },
    none(
      `of ${count} files uploaded to both, not read`,
      count - mine.filter(({ status }) => status === 'COMPLETED').length,
    ),
    none('of those, begun more than once', mine.filter(({ attempts }) => attempts > 1).length),
  ];
}

/**
 * The second program is killed while both read files: the first does all of them, and answers
 * meanwhile.
 */
export async function takeOverFindings(
  programs: Programs,
  { quick, say }: Attempt,
): Promise<Finding[]> {
  if (quick) return [];
  const { second, address, files, userKey: key, database } = programs;
  const text = 'Nobody reads this twice unless somebody was killed while reading it. '.repeat(
    60_000,
  );
  const names = Array.from({ length: 8 }, (_, index) => `heavy-${index}.txt`);
  await Promise.all(names.map((name) => upload(address, { files, key }, name, name + text)));
  const where = { originalName: { in: names } };
  // Each reads two at once.
  const bothMs = await msUntil(
    async () =>
      (await database.prisma.assistantFile.count({ where: { ...where, status: 'PROCESSING' } })) >=
      3,
    30_000,
  );
  if (!Number.isFinite(bothMs)) throw new Error('the two programs never read at the same time');
  await killed(second);
  let [asked, failed] = [0, 0];
  const takenMs = await msUntil(async () => {
    asked += 1;
    if ((await ask(address, '/api/assistants/v1/', { key })).status !== 200) failed += 1;
    return (
      (await database.prisma.assistantFile.count({
        where: { ...where, status: { in: ['PENDING', 'PROCESSING'] } },
      })) === 0
    );
  }, 120_000);
  const rows = await database.prisma.assistantFile.findMany({
    where,
    select: { status: true, attempts: true },
  });
  say(
    `${rows.filter(({ attempts }) => attempts > 1).length} of ${names.length} files were taken over`,
  );
  return [
    none(
      `of ${names.length} files with one of two programs killed, not read`,
      names.length - rows.filter(({ status }) => status === 'COMPLETED').length,
    ),
    atMost(60, {
      figure: 'until all were read by the other, whose turn begins when a lease of 20 s ends',
      value: takenMs / 1000,
      unit: 's',
    }),
    none(`of ${asked} requests meanwhile, not answered with 200`, failed),
  ];
}

async function upload(
  address: string,
  { files, key }: { files: string; key: string },
  name: string,
  content: string,
): Promise<string> {
  const body = new FormData();
  body.append('file', new Blob([content], { type: 'text/plain' }), name);
  const answer = await ask(address, files, { method: 'POST', key, body });
  if (answer.status !== 200)
    throw new Error(`an upload was answered ${answer.status}: ${answer.text}`);
  return String(Object(answer.body['file']).id);
}
