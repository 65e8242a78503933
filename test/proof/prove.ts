import { fork } from 'node:child_process';
import { once } from 'node:events';
import { globSync } from 'node:fs';
import { setTimeout } from 'node:timers/promises';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { parseArgs } from 'node:util';
import { describeMachine } from '../bench/report.ts';
import type { Proof, ProofFinding } from './proof.ts';
import { record } from './record.ts';
import { type ProofOutcome, table } from './table.ts';

/**
 * `npm run prove [-- --quick] [-- --only fuzz,faults/stop] [-- --seed 7] [-- --record]`
 *
 * Attacks Atrium, injects faults into it and measures its speed. Each proof runs in a separate
 * process and prints its figures beside their goals; quick ones run three at a time. The command
 * ends with one table, and fails when a figure misses its goal. `--record` writes the outcome to record.json and docs/proofs.md.
 */
const { values: options } = parseArgs({
  options: {
    quick: { type: 'boolean', default: false },
    only: { type: 'string' },
    seed: { type: 'string', default: String(Math.floor(Math.random() * 1e9)) },
    record: { type: 'boolean', default: false },
    // Internal: the parent starts one child for each proof, with the name of the proof.
    alone: { type: 'string' },
  },
});
const seed = Number(options.seed);
const folder = fileURLToPath(new URL('.', import.meta.url));

type NamedProof = { name: string; proof: Proof };

if (options.alone) await runInThisProcess(options.alone);
else await runAll();

async function runAll(): Promise<void> {
  const selected = options.only?.split(',');
  const names = globSync('*/*.proof.ts', { cwd: folder })
    .map((file) => file.replaceAll('\\', '/').replace(/\.proof\.ts$/, ''))
    .filter(
      (name) =>
        selected === undefined ||
        selected.some((selection) => name === selection || name.startsWith(`${selection}/`)),
    )
    .sort();
  if (names.length === 0) throw new Error(`There is no proof called ${options.only}`);
  console.log(
    `Seed ${seed}${options.quick ? ', quick run' : ''}. To repeat one proof: npm run prove -- --only <name> --seed ${seed}`,
  );
  const loaded = await Promise.all(names.map(async (name) => ({ name, ...(await load(name)) })));
  // A long proof that --only names runs in its short version; without --only it is skipped.
  const proofs = loaded.filter(({ proof }) => !options.quick || !proof.long || selected);
  const together = options.quick ? proofs.filter(({ proof }) => !proof.timed) : [];
  const alone = proofs.filter((named) => !together.includes(named));
  const outcomes: PrintedOutcome[] = [];
  async function run({ name, proof }: NamedProof, buffered: boolean): Promise<void> {
    const title = `\n== ${name}: ${proof.claim}`;
    console.log(buffered ? `Started ${name}` : title);
    const startedAt = Date.now();
    const outcome = await runInChild(name, buffered);
    const seconds = Math.round((Date.now() - startedAt) / 1000);
    outcomes.push({ name, claim: proof.claim, seconds, ...outcome });
    const latest = outcomes.slice(-1);
    if (buffered) console.log(`${title}\n${outcome.output.trimEnd()}`);
    console.log(table(latest));
    if (options.record)
      for (const { output: _, ...recorded } of latest) record(recorded, machineLine(), seed);
  }
  const queue = together.values();
  const worker = async () => {
    for (const named of queue) await run(named, true);
  };
  // Three use two cores well: proofs mostly wait for processes that they start and kill.
  await Promise.all([worker(), worker(), worker()]);
  for (const named of alone) await run(named, false);
  outcomes.sort((one, other) => (one.name < other.name ? -1 : 1));
  console.log(`\n${machineLine()}, seed ${seed}\n\n${table(outcomes)}`);
  const failed = outcomes.filter(
    ({ findings, fault }) =>
      fault !== undefined || findings.some((finding) => 'held' in finding && !finding.held),
  );
  if (failed.length > 0) {
    console.log(
      `\n${failed.length} of ${outcomes.length} proofs failed: ${failed.map(({ name }) => name).join(', ')}`,
    );
    for (const outcome of failed) console.log(`\n${whyOf(outcome)}`);
    process.exitCode = 1;
  } else console.log(`\nProofs that held: ${outcomes.length} of ${outcomes.length}.`);
}

type PrintedOutcome = ProofOutcome & Pick<ChildOutcome, 'output'>;

/** The findings that do not hold, or the last lines that the proof printed. */
function whyOf({ output, findings, ...outcome }: PrintedOutcome): string {
  const missed = findings.filter((finding) => 'held' in finding && !finding.held);
  return outcome.fault === undefined
    ? table([{ ...outcome, findings: missed }])
    : `${outcome.name}: ${outcome.fault}\n${output.trimEnd().split('\n').slice(-20).join('\n')}`;
}

type ChildOutcome = { findings: ProofFinding[]; fault?: string; output: string };

/** `buffered` keeps what the proof prints for its end, when others run beside it. */
async function runInChild(name: string, buffered: boolean): Promise<ChildOutcome> {
  const child = fork(
    fileURLToPath(import.meta.url),
    ['--alone', name, '--seed', String(seed), ...(options.quick ? ['--quick'] : [])],
    { silent: buffered },
  );
  let output = '';
  for (const stream of [child.stdout, child.stderr])
    stream?.setEncoding('utf8').on('data', (text: string) => {
      output += text;
    });
  let findings: ProofFinding[] | undefined;
  child.on('message', (message) => {
    findings = message as ProofFinding[];
  });
  const closed = once(child, 'close');
  const [code, signal] = await once(child, 'exit');
  // The rest of the output. A process that the proof left behind may keep its streams open.
  await Promise.race([closed, setTimeout(1_000)]);
  return findings
    ? { findings, output }
    : { findings: [], fault: `exited without figures (${signal ?? code})`, output };
}

async function runInThisProcess(name: string): Promise<void> {
  const { proof } = await load(name);
  const startedAt = Date.now();
  const log = (line: string) =>
    console.log(`  ${String(Math.round((Date.now() - startedAt) / 1000)).padStart(4)} s  ${line}`);
  const findings = await proof.measure({ quick: options.quick, seed, log });
  await new Promise<void>((sent) => process.send?.(findings, () => sent()));
  // The findings are sent. A proof may have left a connection open, which would keep this alive.
  process.exit(0);
}

function machineLine(): string {
  const { cores, cpu, memoryGiB, node } = describeMachine(undefined);
  return `${new Date().toISOString().slice(0, 10)}, ${cores} cores (${cpu}), ${memoryGiB} GiB, Node ${node}`;
}

function load(name: string): Promise<{ proof: Proof }> {
  return import(pathToFileURL(`${folder}${name}.proof.ts`).href);
}
