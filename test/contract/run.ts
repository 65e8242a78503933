import { areas } from './areas.ts';
import { readOptions, usage } from './options.ts';
import { AnswerRecording } from './record-answers.ts';
import { runSuite } from './suite.ts';

const print = (line: string) => void process.stdout.write(`${line}\n`);

/**
 * `npm run contract`: checks a deployment or its own server. The exit code is 1 if a check fails
 * and 2 if nothing can be checked.
 */
async function main(): Promise<number> {
  const { url, credentials, pace, disposable, large, direct, only, printTitles, record } =
    readOptions(process.argv.slice(2), process.env);
  const unknown = only.filter((name) => !Object.hasOwn(areas, name));
  if (unknown.length > 0)
    throw new Error(
      `There is no area called ${unknown.join(', ')}. The areas are ${Object.keys(areas).join(', ')}`,
    );
  const selectedAreas = Object.fromEntries(
    Object.entries(areas).filter(([name]) => only.length === 0 || only.includes(name)),
  );
  const server =
    url === undefined
      ? await startLocalServer()
      : { url, credentials, close: async () => undefined };
  print(`Checking ${server.url}`);
  const recording = record === undefined ? undefined : new AnswerRecording();
  try {
    const report = await runSuite(selectedAreas, {
      url: server.url,
      credentials: server.credentials,
      pace,
      disposable: disposable || url === undefined,
      large,
      direct: direct || url === undefined,
      recording,
      note: (line) => print(`  ${line}`),
    });
    if (record !== undefined) recording?.write(record);
    if (printTitles) for (const title of report.titles) print(`  ${title}`);
    for (const { title, request, expected, actual } of report.failures)
      print(`FAILED  ${title} | ${request} | expected ${expected} | actual ${actual}`);
    for (const [description, reason] of report.skipped)
      print(`Skipped: ${description} (${reason})`);
    if (url !== undefined) for (const item of report.leftBehind) print(`Left behind: ${item}`);
    print(`${report.count} checks, ${report.failures.length} failed`);
    return report.failures.length === 0 ? 0 : 1;
  } finally {
    await server.close();
  }
}

async function startLocalServer() {
  // Only this case needs the sources and the generated database client.
  const { startOwnServer } = await import('./own-server.ts');
  return startOwnServer();
}

if (process.argv.includes('--help')) print(usage);
else
  main().then(
    (code) => {
      process.exitCode = code;
    },
    (error: unknown) => {
      process.stderr.write(`${error instanceof Error ? error.message : String(error)}\n`);
      process.exitCode = 2;
    },
  );
