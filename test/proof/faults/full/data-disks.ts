import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { below, type Goal } from '../../../bench/goals.ts';
import { start, temporaryDirectory } from '../../../support/process.ts';
import { none } from '../../proof.ts';
import { type Answer, type Demo, demoOf, idIn } from './demo.ts';
import { type SmallDisk, smallDiskAt } from './small-disk.ts';
import { secondsUntil } from './until.ts';

const megabyte = 1_048_576;
const large = Buffer.alloc(5 * megabyte, 'A line of a large file.\n');
const refusals = [503, 507];
const backSeconds = 60;

type Say = (line: string) => void;
type Disks = { files: SmallDisk; vectors: SmallDisk; logs: SmallDisk };

/**
 * One program whose files, passages and logs lie on small disks of their own. One after the other
 * gets full, and has room again.
 */
export async function fillDataDisks(say: Say): Promise<Goal[]> {
  const data = temporaryDirectory();
  const disks: Disks = {
    files: smallDiskAt(join(data.path, 'files'), { megabytes: 32, names: 200 }),
    vectors: smallDiskAt(join(data.path, 'vectors'), { megabytes: 24 }),
    logs: smallDiskAt(join(data.path, 'logs'), { megabytes: 4 }),
  };
  const config = join(data.path, 'vault.yaml');
  await writeFile(config, 'logging: { log_to_file: true }\n');
  const program = await start({ DATA_DIR: data.path, VAULT_CONFIG: config });
  try {
    const demo = await demoOf(program);
    await secondsUntil(async () => isRead(await demo.files()), backSeconds);
    const goals = [
      ...(await fillFiles(demo, disks.files, say)),
      ...(await fillVectors(demo, disks.vectors, say)),
      ...(await fillLogs(demo, disks.logs, say)),
    ];
    const fatal = program.output().match(/"level":"fatal"|Unhandled|Uncaught/g) ?? [];
    return [
      ...goals,
      none(
        'full disks: the program ended or nearly did',
        fatal.length + (program.process.exitCode === null ? 0 : 1),
      ),
    ];
  } finally {
    program.process.kill('SIGKILL');
    await program.ended;
    for (const disk of Object.values(disks)) disk.unmount();
    data.remove();
  }
}

async function fillFiles(demo: Demo, disk: SmallDisk, say: Say): Promise<Goal[]> {
  const kept = idIn(await demo.upload('What is kept: the old text.'));
  await secondsUntil(async () => isRead(await demo.files()), backSeconds);
  const before = await demo.files();
  disk.fill(2);
  const full = await Promise.all([
    demo.upload(large),
    demo.upload(large),
    demo.replace(kept, large),
  ]);
  const small = await demo.upload('This little one still fits.');
  disk.free();
  disk.fillNames();
  const nameless = [
    await demo.upload('No name is left for this.'),
    await demo.replace(kept, 'Nor for this.'),
  ];
  const others = [
    await demo.users(),
    await demo.content(kept),
    await demo.run('What is kept?'),
    await demo.ready(),
  ];
  const during = await demo.files();
  disk.free();
  const left = existsSync(join(disk.directory, 'incoming'))
    ? readdirSync(join(disk.directory, 'incoming')).length
    : 0;
  const again = await demo.upload(large);
  say(
    `files: full ${statuses(full)}, without a name ${statuses(nameless)}, small ${small.status}, others ${statuses(others)}, again ${again.status}`,
  );
  return [
    none(
      'files full: uploads and replacements answered with anything but 507 or 503',
      unlike([...full, ...nameless], refusals),
    ),
    none('files full: other requests that failed', unlike([...others, small], [200])),
    none('files full: rows without an acknowledgement', during.length - before.length - 1),
    none('files full: half-written files left', left),
    none(
      'files full: content that was to be replaced and is another now',
      others[1]?.text === 'What is kept: the old text.' ? 0 : 1,
    ),
    none('files: uploads refused once there is room', unlike([again], [200])),
    below(backSeconds, {
      figure: 'files: until all is read again',
      value: await secondsUntil(async () => isRead(await demo.files()), backSeconds),
      unit: 's',
    }),
  ];
}

async function fillVectors(demo: Demo, disk: SmallDisk, say: Say): Promise<Goal[]> {
  const known = await demo.upload('The gate is painted in ultramarine.');
  await secondsUntil(async () => isRead(await demo.files()), backSeconds);
  disk.fill();
  const sent = await demo.upload(wordsOf(4_000));
  const removed = await demo.remove(idIn(known));
  await pause(4_000);
  const { processingStatus } = await demo.file(idIn(sent));
  const others = [
    sent,
    removed,
    await demo.run('How much is the meal allowance in Germany?'),
    await demo.users(),
  ];
  const answered = others[2]?.text.includes('28 euro') ? 0 : 1;
  disk.free();
  const seconds = await secondsUntil(async () => isRead(await demo.files()), backSeconds);
  const gone = await secondsUntil(
    async () => !(await demo.run('In what is the gate painted?')).text.includes('ultramarine'),
    backSeconds,
  );
  say(
    `vectors: a file is ${processingStatus} meanwhile, others ${statuses(others)}, read ${seconds.toFixed(1)} s after there was room`,
  );
  return [
    none('vectors full: requests that failed', unlike(others, [200])),
    none('vectors full: files that were given up', processingStatus === 'FAILED' ? 1 : 0),
    none('vectors full: questions that old passages no longer answer', answered),
    below(backSeconds, { figure: 'vectors: until what waited is read', value: seconds, unit: 's' }),
    below(backSeconds, {
      figure: 'vectors: until what was deleted meanwhile is not found',
      value: gone,
      unit: 's',
    }),
  ];
}

async function fillLogs(demo: Demo, disk: SmallDisk, say: Say): Promise<Goal[]> {
  const log = join(disk.directory, 'web.log');
  disk.fill();
  const during: Answer[] = [];
  for (let call = 0; call < 20; call += 1)
    during.push(await demo.run('How many days of leave are there?'));
  disk.free();
  const before = readFileSync(log).length;
  const seconds = await secondsUntil(async () => {
    await demo.run('How many days of leave are there?');
    return readFileSync(log).length > before;
  }, backSeconds);
  say(`logs: ${statuses(during)} meanwhile, written again after ${seconds.toFixed(1)} s`);
  return [
    none('logs full: requests that failed', unlike(during, [200])),
    below(backSeconds, { figure: 'logs: until they are written again', value: seconds, unit: 's' }),
  ];
}

const isRead = (files: { processingStatus: string }[]) =>
  files.every(({ processingStatus }) => processingStatus === 'COMPLETED');
const unlike = (answers: readonly Answer[], wanted: readonly number[]) =>
  answers.filter(({ status }) => !wanted.includes(status)).length;
const statuses = (answers: readonly Answer[]) =>
  [...new Set(answers.map(({ status }) => status))].join(' ');
const wordsOf = (lines: number) =>
  Array.from(
    { length: lines },
    (_, line) => `Line ${line} of a text that has to lie somewhere, number ${line * 7919}.`,
  ).join('\n');
