import { atMost } from '../../../bench/goals.ts';
import { exactlyZero, type ProofContext, type ProofFinding } from '../../proof.ts';
import { msUntil, sendRequest } from './send-request.ts';
import { kill, type TwoProcesses } from './start-processes.ts';

const finalStatuses = ['COMPLETED', 'FAILED'];

/**
 * A file uploaded at one process can be read at the other, and each file is processed exactly once.
 */
export async function measureFileSharing(
  { first, second, address, files, userKey: key, database }: TwoProcesses,
  { quick }: ProofContext,
): Promise<ProofFinding[]> {
  const content = 'The bicycle shed of the annex is opened with the code that the janitor tells.\n';
  const fileId = await upload(first.address, { files, key }, 'shed.txt', content);
  const read = async (path: string) =>
    sendRequest(second.address, `${files}/${fileId}${path}`, { key });
  await msUntil(
    async () =>
      finalStatuses.includes(
        String(Object((await read('')).body['file'] ?? (await read('')).body)['processingStatus']),
      ),
    60_000,
  );
  const isListed = (await sendRequest(second.address, files, { key })).text.includes(fileId);
  const hasSameContent = (await read('/content')).text === content;
  const body = {
    messages: [{ role: 'user', content: 'How is the bicycle shed of the annex opened?' }],
  };
  const run = await sendRequest(
    second.address,
    files.replace(
      /^\/api\/assistant-files\/v1\/assistants\/([^/]+)\/files$/,
      '/api/assistants/v1/$1/run',
    ),
    {
      ...{ method: 'POST', key, json: body },
    },
  );
  const isCited = JSON.stringify(run.body['citations']) === '["shed.txt"]';

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
  const uploadedRows = rows.filter(({ originalName }) => names.includes(originalName));
  return [
    {
      figure: 'ways to use a file uploaded at the other process: listed, read, cited',
      value: [isListed, hasSameContent, isCited].filter(Boolean).length,
      unit: '',
      goal: '3',
      held: isListed && hasSameContent && isCited,
    },
    exactlyZero(
      `of ${count} files uploaded to both, not processed`,
      count - uploadedRows.filter(({ status }) => status === 'COMPLETED').length,
    ),
    exactlyZero(
      'of those, processed more than once',
      uploadedRows.filter(({ attempts }) => attempts > 1).length,
    ),
  ];
}

/**
 * Kills the second process while both process files. The first must finish all of them and keep
 * answering.
 */
export async function measureTakeOver(
  processes: TwoProcesses,
  { quick, log }: ProofContext,
): Promise<ProofFinding[]> {
  if (quick) return [];
  const { second, address, files, userKey: key, database } = processes;
  const text = 'Nobody reads this twice unless somebody was killed while reading it. '.repeat(
    60_000,
  );
  const names = Array.from({ length: 8 }, (_, index) => `heavy-${index}.txt`);
  await Promise.all(names.map((name) => upload(address, { files, key }, name, name + text)));
  const where = { originalName: { in: names } };
  // Each process handles two files at once, so three or more means that both are working.
  const bothMs = await msUntil(
    async () =>
      (await database.prisma.assistantFile.count({ where: { ...where, status: 'PROCESSING' } })) >=
      3,
    30_000,
  );
  if (!Number.isFinite(bothMs)) throw new Error('the two processes never worked at the same time');
  await kill(second);
  let [requestCount, failed] = [0, 0];
  const processedAfterMs = await msUntil(async () => {
    requestCount += 1;
    if ((await sendRequest(address, '/api/assistants/v1/', { key })).status !== 200) failed += 1;
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
  log(
    `${rows.filter(({ attempts }) => attempts > 1).length} of ${names.length} files were taken over`,
  );
  return [
    exactlyZero(
      `of ${names.length} files not processed after one of two processes was killed`,
      names.length - rows.filter(({ status }) => status === 'COMPLETED').length,
    ),
    atMost(60, {
      figure: 'until the other process finished them, including the lease of 20 s',
      value: processedAfterMs / 1000,
      unit: 's',
    }),
    exactlyZero(`of ${requestCount} requests meanwhile, answers other than 200`, failed),
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
  const answer = await sendRequest(address, files, { method: 'POST', key, body });
  if (answer.status !== 200)
    throw new Error(`an upload was answered ${answer.status}: ${answer.text}`);
  return String(Object(answer.body['file']).id);
}
