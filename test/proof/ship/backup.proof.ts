import { execFileSync } from 'node:child_process';
import { createHash, randomBytes } from 'node:crypto';
import { cpSync, existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import type { Workspace } from '../../../src/modules/demo/make-workspace.ts';
import { exactlyZero, type Proof, type ProofFinding } from '../proof.ts';
import {
  type AcknowledgedWrite,
  findLostWrites,
  startWriting,
  unchangedSince,
} from './acknowledged-writes.ts';
import {
  changedAnswers,
  readAllAnswers,
  readViewer,
  runHandbookQuestion,
  signIn,
} from './read-answers.ts';
import {
  command,
  filesOf,
  openTestStorage,
  postgresUnavailableReason,
  query,
  seed,
  startServer,
  waitUntilFilesProcessed,
} from './test-storage.ts';

type TestStorage = ReturnType<typeof openTestStorage>;
type ServerSettings = Record<string, string>;

/** The state before everything was deleted. The restored server must show the same. */
type ExpectedState = {
  answers: Map<string, string>;
  answer: string;
  cookie: string;
  viewer: string;
  acknowledged: AcknowledgedWrite[];
  changingWorkspace: Workspace;
  unchangedWorkspace: Workspace;
};

export const proof: Proof = {
  claim:
    'A backup taken under load can be restored elsewhere: everything is there and every answer is the same',
  long: true,
  async measure({ quick, seed: writeSeed, log }) {
    const unavailableReason = await postgresUnavailableReason();
    const storage = openTestStorage();
    try {
      const findings: ProofFinding[] = unavailableReason
        ? [{ figure: 'backup with pg_dump under load', skipped: unavailableReason }]
        : await backUpUnderLoad(storage, { quick, writeSeed, log });
      if (!quick) findings.push(...(await backUpEmbedded(storage, log)));
      return findings;
    } finally {
      await storage.close();
    }
  },
};

async function backUpUnderLoad(
  storage: TestStorage,
  { quick, writeSeed, log }: { quick: boolean; writeSeed: number; log(line: string): void },
): Promise<ProofFinding[]> {
  const origin = await storage.postgres('origin');
  const [changingWorkspace, unchangedWorkspace] = await seed(origin);
  if (!changingWorkspace || !unchangedWorkspace)
    throw new Error('the seed must create two organizations with files');
  const server = await startServer(origin);
  await Promise.all(
    [changingWorkspace, unchangedWorkspace].map((workspace) =>
      waitUntilFilesProcessed(server, workspace),
    ),
  );
  const cookie = await signIn(server, unchangedWorkspace);
  const expected = {
    answers: await readAllAnswers(server, unchangedWorkspace),
    answer: await runHandbookQuestion(server, unchangedWorkspace),
    cookie,
    viewer: await readViewer(server, cookie),
    changingWorkspace,
    unchangedWorkspace,
  };
  if (!quick) await putLargeFiles(server, changingWorkspace);
  const load = startWriting(server, changingWorkspace, writeSeed);
  while (load.acknowledged.length < (quick ? 20 : 400) && load.faults.length === 0)
    await pause(100);
  const countBeforeDump = load.acknowledged.length;
  const dump = storage.path('dump');
  mkdirSync(dump);
  // The oldest file, because the writers replace and delete the newer ones.
  const deletedFile = (
    await server.json(
      'GET',
      filesOf(changingWorkspace.assistants[0]?.id ?? ''),
      changingWorkspace.users[0]?.userKey ?? '',
    )
  ).files.at(-1);
  const script = `pg_dump -Fc -f ${dump}/database "$DATABASE_URL" && touch ${dump}/dumped && until [ -e ${dump}/go-on ]; do sleep 0.1; done && cp -R ${origin.DATA_DIR}/files ${dump}/files`;
  const backup = command('src/commands/backup.ts', origin, [
    '--while',
    'env',
    `DATABASE_URL=${origin.DATABASE_URL}`,
    'sh',
    '-c',
    script,
  ]);
  // This file is in the dump and is deleted before the files are copied. Its bytes must still be
  // copied.
  while (!existsSync(join(dump, 'dumped'))) await Promise.race([pause(50), backup]);
  await server.send(
    'DELETE',
    filesOf(changingWorkspace.assistants[0]?.id ?? '', `/${deletedFile.id}`),
    changingWorkspace.users[0]?.userKey ?? '',
  );
  load.acknowledged.push({ kind: 'gone', id: deletedFile.id, hash: '' });
  writeFileSync(join(dump, 'go-on'), '');
  await backup;
  const countBeforeOwnBackup = load.acknowledged.length;
  const ownBackup = storage.path('ours');
  if (!quick) log((await command('src/commands/backup.ts', origin, [ownBackup])).trim());
  await pause(quick ? 200 : 3_000);
  await load.stop();
  log(
    `${load.acknowledged.length} writes were acknowledged, ${countBeforeDump} of them before the backup`,
  );
  cpSync(join(origin.DATA_DIR, 'auth-secret'), join(dump, 'auth-secret'));
  await server.kill();
  rmSync(origin.DATA_DIR, { recursive: true });

  const target = await storage.postgres('from-dump');
  mkdirSync(target.DATA_DIR);
  execFileSync('pg_restore', [
    '--no-owner',
    '--exit-on-error',
    '-d',
    target.DATABASE_URL,
    join(dump, 'database'),
  ]);
  cpSync(join(dump, 'files'), join(target.DATA_DIR, 'files'), { recursive: true });
  cpSync(join(dump, 'auth-secret'), join(target.DATA_DIR, 'auth-secret'));
  const rows = await query<FileRow>(
    target.DATABASE_URL,
    'select storage_key, hash from assistant_files',
  );
  const findings = [
    exactlyZero('requests that failed during the backup', load.faults.length),
    exactlyZero('files of the dump with missing content', countMissingFiles(rows, target.DATA_DIR)),
    ...(await compareRestored(
      target,
      { ...expected, acknowledged: unchangedSince(load.acknowledged, countBeforeDump) },
      'pg_dump → Postgres',
      log,
    )),
  ];
  if (quick) return findings;
  const embedded = storage.embedded('from-ours');
  await command('src/commands/restore.ts', embedded, [ownBackup]);
  const lines = readFileSync(join(ownBackup, 'tables/assistant_files.jsonl'), 'utf8')
    .trim()
    .split('\n');
  const backupRows = lines.map((line): FileRow => JSON.parse(line));
  findings.push(
    exactlyZero(
      'files of Atrium’s own backup with missing content',
      countMissingFiles(backupRows, ownBackup),
    ),
  );
  findings.push(
    ...(await compareRestored(
      embedded,
      { ...expected, acknowledged: unchangedSince(load.acknowledged, countBeforeOwnBackup) },
      'Postgres → embedded',
      log,
    )),
  );
  return findings;
}

/**
 * Uploads large files, so that copying them takes long enough for further uploads. Their content is
 * random, so they are never processed.
 */
async function putLargeFiles(
  server: Awaited<ReturnType<typeof startServer>>,
  { users, assistants }: Workspace,
): Promise<void> {
  const bytes = randomBytes(40 * 1024 * 1024);
  for (let number = 1; number <= 6; number += 1) {
    const form = new FormData();
    form.set('file', new Blob([bytes], { type: 'application/pdf' }), `scan-${number}.pdf`);
    await server.json('POST', filesOf(assistants[0]?.id ?? ''), users[0]?.userKey ?? '', form);
  }
}

async function backUpEmbedded(
  storage: TestStorage,
  log: (line: string) => void,
): Promise<ProofFinding[]> {
  const origin = storage.embedded('embedded');
  const [changingWorkspace, unchangedWorkspace] = await seed(origin);
  if (!changingWorkspace || !unchangedWorkspace)
    throw new Error('the seed must create two organizations with files');
  const server = await startServer(origin);
  await waitUntilFilesProcessed(server, unchangedWorkspace);
  const cookie = await signIn(server, unchangedWorkspace);
  const expected = {
    answers: await readAllAnswers(server, unchangedWorkspace),
    answer: await runHandbookQuestion(server, unchangedWorkspace),
    cookie,
    viewer: await readViewer(server, cookie),
    changingWorkspace,
    unchangedWorkspace,
  };
  const load = startWriting(server, changingWorkspace, 1);
  while (load.acknowledged.length < 200 && load.faults.length === 0) await pause(100);
  await load.stop();
  // The server is killed, not stopped. Everything it acknowledged must still be in the backup.
  await server.kill();
  await command('src/commands/backup.ts', origin, [storage.path('embedded-backup')]);
  rmSync(origin.DATA_DIR, { recursive: true });
  const target = storage.embedded('embedded-again');
  await command('src/commands/restore.ts', target, [storage.path('embedded-backup')]);
  return compareRestored(
    target,
    { ...expected, acknowledged: load.acknowledged },
    'embedded → embedded',
    log,
  );
}

type FileRow = { storage_key: string; hash: string };

const countMissingFiles = (rows: FileRow[], directory: string): number =>
  rows.filter(({ storage_key, hash }) => {
    const file = join(directory, 'files', storage_key);
    return (
      !existsSync(file) || createHash('sha256').update(readFileSync(file)).digest('hex') !== hash
    );
  }).length;

async function compareRestored(
  settings: ServerSettings,
  expectedState: ExpectedState,
  label: string,
  log: (line: string) => void,
): Promise<ProofFinding[]> {
  const { answers, answer, cookie, viewer, acknowledged, changingWorkspace, unchangedWorkspace } =
    expectedState;
  const server = await startServer(settings);
  try {
    const startedAt = Date.now();
    // The vault starts empty. Runs can cite the files again once they are processed.
    while (
      (await runHandbookQuestion(server, unchangedWorkspace)) !== answer &&
      Date.now() - startedAt < 120_000
    )
      await pause(500);
    await waitUntilFilesProcessed(server, unchangedWorkspace);
    log(
      `${label}: runs cite the files again ${((Date.now() - startedAt) / 1000).toFixed(1)} s after the start`,
    );
    const changedPaths = changedAnswers(answers, await readAllAnswers(server, unchangedWorkspace));
    const lostWrites = await findLostWrites(server, changingWorkspace, acknowledged);
    for (const fault of [...changedPaths, ...lostWrites].slice(0, 10)) log(`${label}: ${fault}`);
    const findings = [
      exactlyZero(`${label}: of ${answers.size} answers, changed ones`, changedPaths.length),
      exactlyZero(
        `${label}: of ${acknowledged.length} writes acknowledged before, lost ones`,
        lostWrites.length,
      ),
      exactlyZero(
        `${label}: runs with another answer or citation`,
        (await runHandbookQuestion(server, unchangedWorkspace)) === answer ? 0 : 1,
      ),
      exactlyZero(
        `${label}: sessions that ended`,
        viewer.startsWith('not signed in') || (await readViewer(server, cookie)) !== viewer ? 1 : 0,
      ),
    ];
    await server.kill();
    const counterReport = await command('src/commands/check-counters.ts', settings).catch(
      (error: unknown) => String(error),
    );
    return [
      ...findings,
      exactlyZero(
        `${label}: wrong counters`,
        counterReport.startsWith('All counters match') ? 0 : 1,
      ),
    ];
  } finally {
    await server.kill();
  }
}
