import { execFileSync } from 'node:child_process';
import { createHash, randomBytes } from 'node:crypto';
import { cpSync, existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import type { Workspace } from '../../../src/modules/demo/make-workspace.ts';
import { type Finding, none, type Proof } from '../proof.ts';
import {
  command,
  everyFileRead,
  filesOf,
  openGround,
  query,
  seed,
  startOn,
  whyNoPostgres,
} from './place.ts';
import { askHandbook, differences, signIn, viewerOf, walk } from './walk.ts';
import { broken, settled, type Told, writeOn } from './write-on.ts';

type Ground = ReturnType<typeof openGround>;
type Settings = Record<string, string>;

/** What was seen before everything was destroyed, and must be seen again. */
type Before = {
  answers: Map<string, string>;
  answer: string;
  cookie: string;
  viewer: string;
  told: Told[];
  written: Workspace;
  still: Workspace;
};

export const proof: Proof = {
  claim:
    'a backup that was made under load is restored elsewhere, and everything is there and answers the same',
  long: true,
  async attempt({ quick, seed: chance, say }) {
    const absent = await whyNoPostgres();
    const ground = openGround();
    try {
      const findings: Finding[] = absent
        ? [{ figure: 'pg_dump under load', leftOut: absent }]
        : await underLoad(ground, { quick, chance, say });
      if (!quick) findings.push(...(await embeddedToEmbedded(ground, say)));
      return findings;
    } finally {
      await ground.close();
    }
  },
};

async function underLoad(
  ground: Ground,
  { quick, chance, say }: { quick: boolean; chance: number; say(line: string): void },
): Promise<Finding[]> {
  const origin = await ground.postgres('origin');
  const [written, still] = await seed(origin);
  if (!written || !still) throw new Error('the seed makes two organizations with files');
  const place = await startOn(origin);
  await Promise.all([written, still].map((workspace) => everyFileRead(place, workspace)));
  const cookie = await signIn(place, still);
  const seen = {
    answers: await walk(place, still),
    answer: await askHandbook(place, still),
    cookie,
    viewer: await viewerOf(place, cookie),
    written,
    still,
  };
  if (!quick) await putLargeFiles(place, written);
  const load = writeOn(place, written, chance);
  while (load.told.length < (quick ? 20 : 400) && load.faults.length === 0) await pause(100);
  const beforeDump = load.told.length;
  const dump = ground.path('dump');
  mkdirSync(dump);
  // The oldest: the newer ones are being replaced and deleted by those who write.
  const victim = (
    await place.json(
      'GET',
      filesOf(written.assistants[0]?.id ?? ''),
      written.users[0]?.userKey ?? '',
    )
  ).files.at(-1);
  const script = `pg_dump -Fc -f ${dump}/database "$DATABASE_URL" && touch ${dump}/dumped && until [ -e ${dump}/go-on ]; do sleep 0.1; done && cp -R ${origin.DATA_DIR}/files ${dump}/files`;
  const made = command('src/backup.ts', origin, [
    '--while',
    'env',
    `DATABASE_URL=${origin.DATABASE_URL}`,
    'sh',
    '-c',
    script,
  ]);
  // A file that the dump knows is deleted before the files are copied: its bytes must still be
  // there.
  while (!existsSync(join(dump, 'dumped'))) await Promise.race([pause(50), made]);
  await place.send(
    'DELETE',
    filesOf(written.assistants[0]?.id ?? '', `/${victim.id}`),
    written.users[0]?.userKey ?? '',
  );
  load.told.push({ kind: 'gone', id: victim.id, hash: '' });
  writeFileSync(join(dump, 'go-on'), '');
  await made;
  const beforeOurs = load.told.length;
  const ours = ground.path('ours');
  if (!quick) say((await command('src/backup.ts', origin, [ours])).trim());
  await pause(quick ? 200 : 3_000);
  await load.stop();
  say(`${load.told.length} writes were acknowledged, ${beforeDump} of them before the backup`);
  cpSync(join(origin.DATA_DIR, 'auth-secret'), join(dump, 'auth-secret'));
  await place.kill();
  rmSync(origin.DATA_DIR, { recursive: true });

  const target = await ground.postgres('from-dump');
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
  const rows = await query<Row>(
    target.DATABASE_URL,
    'select storage_key, hash from assistant_files',
  );
  const findings = [
    none('calls that failed while a backup was made', load.faults.length),
    none('files of the dump without their bytes', missing(rows, target.DATA_DIR)),
    ...(await seenAgain(
      target,
      { ...seen, told: settled(load.told, beforeDump) },
      'pg_dump → Postgres',
      say,
    )),
  ];
  if (quick) return findings;
  const embedded = ground.embedded('from-ours');
  await command('src/restore.ts', embedded, [ours]);
  const lines = readFileSync(join(ours, 'tables/assistant_files.jsonl'), 'utf8').trim().split('\n');
  const ownRows = lines.map((line): Row => JSON.parse(line));
  findings.push(none('files of our backup without their bytes', missing(ownRows, ours)));
  findings.push(
    ...(await seenAgain(
      embedded,
      { ...seen, told: settled(load.told, beforeOurs) },
      'Postgres → embedded',
      say,
    )),
  );
  return findings;
}

/**
 * Copying them takes so long that others upload meanwhile. What is in them nobody can read, and
 * nobody has to.
 */
async function putLargeFiles(
  place: Awaited<ReturnType<typeof startOn>>,
  { users, assistants }: Workspace,
): Promise<void> {
  const bytes = randomBytes(40 * 1024 * 1024);
  for (let nth = 1; nth <= 6; nth += 1) {
    const form = new FormData();
    form.set('file', new Blob([bytes], { type: 'application/pdf' }), `scan-${nth}.pdf`);
    await place.json('POST', filesOf(assistants[0]?.id ?? ''), users[0]?.userKey ?? '', form);
  }
}

async function embeddedToEmbedded(ground: Ground, say: (line: string) => void): Promise<Finding[]> {
  const origin = ground.embedded('embedded');
  const [written, still] = await seed(origin);
  if (!written || !still) throw new Error('the seed makes two organizations with files');
  const place = await startOn(origin);
  await everyFileRead(place, still);
  const cookie = await signIn(place, still);
  const seen = {
    answers: await walk(place, still),
    answer: await askHandbook(place, still),
    cookie,
    viewer: await viewerOf(place, cookie),
    written,
    still,
  };
  const load = writeOn(place, written, 1);
  while (load.told.length < 200 && load.faults.length === 0) await pause(100);
  await load.stop();
  // Killed, not stopped: what it acknowledged is in the backup all the same.
  await place.kill();
  await command('src/backup.ts', origin, [ground.path('embedded-backup')]);
  rmSync(origin.DATA_DIR, { recursive: true });
  const target = ground.embedded('embedded-again');
  await command('src/restore.ts', target, [ground.path('embedded-backup')]);
  return seenAgain(target, { ...seen, told: load.told }, 'embedded → embedded', say);
}

type Row = { storage_key: string; hash: string };

const missing = (rows: Row[], directory: string): number =>
  rows.filter(({ storage_key, hash }) => {
    const file = join(directory, 'files', storage_key);
    return (
      !existsSync(file) || createHash('sha256').update(readFileSync(file)).digest('hex') !== hash
    );
  }).length;

async function seenAgain(
  settings: Settings,
  before: Before,
  way: string,
  say: (line: string) => void,
): Promise<Finding[]> {
  const { answers, answer, cookie, viewer, told, written, still } = before;
  const place = await startOn(settings);
  try {
    const startedAt = Date.now();
    // The vault is empty: what runs cite comes back when the files are read again.
    while ((await askHandbook(place, still)) !== answer && Date.now() - startedAt < 120_000)
      await pause(500);
    await everyFileRead(place, still);
    say(
      `${way}: runs answer from the files again ${((Date.now() - startedAt) / 1000).toFixed(1)} s after the start`,
    );
    const changed = differences(answers, await walk(place, still));
    const lost = await broken(place, written, told);
    for (const fault of [...changed, ...lost].slice(0, 10)) say(`${way}: ${fault}`);
    const findings = [
      none(`${way}: of ${answers.size} answers, those that are others now`, changed.length),
      none(
        `${way}: of ${told.length} writes acknowledged before, those that do not hold`,
        lost.length,
      ),
      none(
        `${way}: runs that answer or cite otherwise`,
        (await askHandbook(place, still)) === answer ? 0 : 1,
      ),
      none(
        `${way}: sessions that are over`,
        viewer.startsWith('nobody') || (await viewerOf(place, cookie)) !== viewer ? 1 : 0,
      ),
    ];
    await place.kill();
    const counted = await command('src/check-counters.ts', settings).catch((error: unknown) =>
      String(error),
    );
    return [
      ...findings,
      none(`${way}: counters that are wrong`, counted.startsWith('All kept numbers') ? 0 : 1),
    ];
  } finally {
    await place.kill();
  }
}
