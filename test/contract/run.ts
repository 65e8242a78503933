import { areas } from './areas.ts';
import { readOptions, usage } from './options.ts';
import { AnswerRecording } from './record-answers.ts';
import { runSuite } from './suite.ts';

const print = (line: string) => void process.stdout.write(`${line}\n`);

/**
 * `npm run contract`: checks a deployment from outside, or a server of its own. Exit code 1 where a
 * check fails, 2 where nothing can be checked.
 */
async function main(): Promise<number> {
  const { url, credentials, pace, disposable, large, direct, only, lists, record } = readOptions(
    process.argv.slice(2),
    process.env,
  );
  const unknown = only.filter((name) => !Object.hasOwn(areas, name));
  if (unknown.length > 0)
    throw new Error(
      `There is no area called ${unknown.join(', ')}. The areas are ${Object.keys(areas).join(', ')}`,
    );
  const chosen = Object.fromEntries(
    Object.entries(areas).filter(([name]) => only.length === 0 || only.includes(name)),
  );
  const server =
    url === undefined ? await startOwn() : { url, credentials, close: async () => undefined };
  print(`Checking ${server.url}`);
  const recording = record === undefined ? undefined : new AnswerRecording();
  try {
    const report = await runSuite(chosen, {
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
    if (lists) for (const title of report.titles) print(`  ${title}`);
    for (const { title, request, expected, got } of report.failures)
      print(`FAILED  ${title} | ${request} | expected ${expected} | got ${got}`);
    for (const [what, why] of report.leftOut) print(`Left out: ${what} (${why})`);
    if (url !== undefined) for (const what of report.remains) print(`Remains: ${what}`);
    print(`${report.count} checks, ${report.failures.length} failed`);
    return report.failures.length === 0 ? 0 : 1;
  } finally {
    await server.close();
  }
}

async function startOwn() {
  // Only this way needs the sources and the generated database client.
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
