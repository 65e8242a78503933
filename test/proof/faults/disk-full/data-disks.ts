import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { below, type Goal } from '../../../bench/goals.ts';
import { start, temporaryDirectory } from '../../../support/process.ts';
import { exactlyZero } from '../../proof.ts';
import { type DemoAnswer, type DemoWorkspace, idIn, openDemoWorkspace } from './demo-workspace.ts';
import { secondsUntil } from './seconds-until.ts';
import { type SmallDisk, smallDiskAt } from './small-disk.ts';

const megabyte = 1_048_576;
const large = Buffer.alloc(5 * megabyte, 'A line of a large file.\n');
const refusals = [503, 507];
const recoverySecondsMax = 60;

type LogLine = (line: string) => void;
type DataDisks = { files: SmallDisk; vectors: SmallDisk; logs: SmallDisk };

/**
 * Runs one server whose files, passages and logs are on three small disks. Fills one disk after the
 * other, and frees it again.
 */
export async function fillDataDisks(log: LogLine): Promise<Goal[]> {
  const data = temporaryDirectory();
  const disks: DataDisks = {
    files: smallDiskAt(join(data.path, 'files'), { megabytes: 32, names: 200 }),
    vectors: smallDiskAt(join(data.path, 'vectors'), { megabytes: 24 }),
    logs: smallDiskAt(join(data.path, 'logs'), { megabytes: 4 }),
  };
  const config = join(data.path, 'vault.yaml');
  await writeFile(config, 'logging: { log_to_file: true }\n');
  const program = await start({ DATA_DIR: data.path, VAULT_CONFIG: config });
  try {
    const demo = await openDemoWorkspace(program);
    await secondsUntil(async () => areProcessed(await demo.files()), recoverySecondsMax);
    const goals = [
      ...(await fillFiles(demo, disks.files, log)),
      ...(await fillVectors(demo, disks.vectors, log)),
      ...(await fillLogs(demo, disks.logs, log)),
    ];
    const fatal = program.output().match(/"level":"fatal"|Unhandled|Uncaught/g) ?? [];
    return [
      ...goals,
      exactlyZero(
        'full disks: exits, fatal log lines and unhandled errors',
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

async function fillFiles(demo: DemoWorkspace, disk: SmallDisk, log: LogLine): Promise<Goal[]> {
  const fileId = idIn(await demo.upload('What is kept: the old text.'));
  await secondsUntil(async () => areProcessed(await demo.files()), recoverySecondsMax);
  const before = await demo.files();
  disk.fill(2);
  const full = await Promise.all([
    demo.upload(large),
    demo.upload(large),
    demo.replace(fileId, large),
  ]);
  const small = await demo.upload('This little one still fits.');
  disk.free();
  disk.fillNames();
  const withoutInodes = [
    await demo.upload('No name is left for this.'),
    await demo.replace(fileId, 'Nor for this.'),
  ];
  const others = [
    await demo.users(),
    await demo.content(fileId),
    await demo.run('What is kept?'),
    await demo.ready(),
  ];
  const answersMeanwhile = await demo.files();
  disk.free();
  const partFiles = existsSync(join(disk.directory, 'incoming'))
    ? readdirSync(join(disk.directory, 'incoming')).length
    : 0;
  const uploadAfterwards = await demo.upload(large);
  log(
    `files: disk full ${statuses(full)}, no inodes ${statuses(withoutInodes)}, small file ${small.status}, other requests ${statuses(others)}, upload afterwards ${uploadAfterwards.status}`,
  );
  return [
    exactlyZero(
      'files full: uploads and replacements with another answer than 507 or 503',
      countUnexpected([...full, ...withoutInodes], refusals),
    ),
    exactlyZero(
      'files full: other requests that failed',
      countUnexpected([...others, small], [200]),
    ),
    exactlyZero(
      'files full: rows without an acknowledgement',
      answersMeanwhile.length - before.length - 1,
    ),
    exactlyZero('files full: half-written files left', partFiles),
    exactlyZero(
      'files full: contents that a refused replacement changed',
      others[1]?.text === 'What is kept: the old text.' ? 0 : 1,
    ),
    exactlyZero(
      'files: uploads refused after space was freed',
      countUnexpected([uploadAfterwards], [200]),
    ),
    below(recoverySecondsMax, {
      figure: 'files: until all files are processed again',
      value: await secondsUntil(async () => areProcessed(await demo.files()), recoverySecondsMax),
      unit: 's',
    }),
  ];
}

async function fillVectors(demo: DemoWorkspace, disk: SmallDisk, log: LogLine): Promise<Goal[]> {
  const knownFile = await demo.upload('The gate is painted in ultramarine.');
  await secondsUntil(async () => areProcessed(await demo.files()), recoverySecondsMax);
  disk.fill();
  const waitingFile = await demo.upload(textOf(4_000));
  const removed = await demo.remove(idIn(knownFile));
  await pause(4_000);
  const { processingStatus } = await demo.file(idIn(waitingFile));
  const others = [
    waitingFile,
    removed,
    await demo.run('How much is the meal allowance in Germany?'),
    await demo.users(),
  ];
  const unansweredQuestions = others[2]?.text.includes('28 euro') ? 0 : 1;
  disk.free();
  const seconds = await secondsUntil(
    async () => areProcessed(await demo.files()),
    recoverySecondsMax,
  );
  const removedAfterSeconds = await secondsUntil(
    async () => !(await demo.run('In what is the gate painted?')).text.includes('ultramarine'),
    recoverySecondsMax,
  );
  log(
    `vectors: a file is ${processingStatus} meanwhile, other requests ${statuses(others)}, processed ${seconds.toFixed(1)} s after space was freed`,
  );
  return [
    exactlyZero('vectors full: requests that failed', countUnexpected(others, [200])),
    exactlyZero('vectors full: files marked as FAILED', processingStatus === 'FAILED' ? 1 : 0),
    exactlyZero(
      'vectors full: questions about stored passages without an answer',
      unansweredQuestions,
    ),
    below(recoverySecondsMax, {
      figure: 'vectors: until the waiting file is processed',
      value: seconds,
      unit: 's',
    }),
    below(recoverySecondsMax, {
      figure: 'vectors: until the file deleted meanwhile is no longer found',
      value: removedAfterSeconds,
      unit: 's',
    }),
  ];
}

async function fillLogs(demo: DemoWorkspace, disk: SmallDisk, log: LogLine): Promise<Goal[]> {
  const logFile = join(disk.directory, 'web.log');
  disk.fill();
  const answersMeanwhile: DemoAnswer[] = [];
  for (let call = 0; call < 20; call += 1)
    answersMeanwhile.push(await demo.run('How many days of leave are there?'));
  disk.free();
  const before = readFileSync(logFile).length;
  const seconds = await secondsUntil(async () => {
    await demo.run('How many days of leave are there?');
    return readFileSync(logFile).length > before;
  }, recoverySecondsMax);
  log(`logs: ${statuses(answersMeanwhile)} meanwhile, written again after ${seconds.toFixed(1)} s`);
  return [
    exactlyZero('logs full: requests that failed', countUnexpected(answersMeanwhile, [200])),
    below(recoverySecondsMax, {
      figure: 'logs: until lines are written again',
      value: seconds,
      unit: 's',
    }),
  ];
}

const areProcessed = (files: { processingStatus: string }[]) =>
  files.every(({ processingStatus }) => processingStatus === 'COMPLETED');
const countUnexpected = (answers: readonly DemoAnswer[], expected: readonly number[]) =>
  answers.filter(({ status }) => !expected.includes(status)).length;
const statuses = (answers: readonly DemoAnswer[]) =>
  [...new Set(answers.map(({ status }) => status))].join(' ');
const textOf = (lines: number) =>
  Array.from(
    { length: lines },
    (_, line) => `Line ${line} of a text that has to lie somewhere, number ${line * 7919}.`,
  ).join('\n');
