import { fork } from 'node:child_process';
import { globSync } from 'node:fs';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { parseArgs } from 'node:util';
import { describeMachine } from '../bench/report.ts';
import type { Finding, Proof } from './proof.ts';
import { record } from './record.ts';
import { type Proven, table } from './table.ts';

/**
 * `npm run prove [-- --quick] [-- --only fuzz,faults/kill] [-- --seed 7] [-- --record]`
 *
 * Attacks, breaks and times Atrium. Each proof runs in a process of its own, prints its figures
 * beside what was promised, and the end is one table; anything that falls short makes the command
 * fail. With --record the README tells it.
 */
const { values: options } = parseArgs({
  options: {
    quick: { type: 'boolean', default: false },
    only: { type: 'string' },
    seed: { type: 'string', default: String(Math.floor(Math.random() * 1e9)) },
    record: { type: 'boolean', default: false },
    // Said to the child alone: the one proof that it is there for.
    alone: { type: 'string' },
  },
});
const seed = Number(options.seed);
const folder = fileURLToPath(new URL('.', import.meta.url));

if (options.alone) await attemptAlone(options.alone);
else await attemptAll();

async function attemptAll(): Promise<void> {
  const wanted = options.only?.split(',');
  const names = globSync('*/*.proof.ts', { cwd: folder })
    .map((file) => file.replaceAll('\\', '/').replace(/\.proof\.ts$/, ''))
    .filter(
      (name) =>
        wanted === undefined || wanted.some((want) => name === want || name.startsWith(`${want}/`)),
    )
    .sort();
  if (names.length === 0) throw new Error(`There is no proof called ${options.only}`);
  console.log(
    `Seed ${seed}${options.quick ? ', briefly' : ''}; a proof by itself: npm run prove -- --only <name> --seed ${seed}`,
  );
  const proven: Proven[] = [];
  for (const name of names) {
    const { proof } = await load(name);
    // Who names a long one wants it briefly, not left out.
    if (options.quick && proof.long && !wanted) continue;
    console.log(`\n== ${name}: ${proof.claim}`);
    const startedAt = Date.now();
    const outcome = await inChild(name);
    proven.push({
      name,
      claim: proof.claim,
      seconds: Math.round((Date.now() - startedAt) / 1000),
      ...outcome,
    });
    const last = proven.slice(-1);
    console.log(table(last));
    if (options.record) for (const one of last) record(one, machineLine(), seed);
  }
  console.log(`\n${machineLine()}, seed ${seed}\n\n${table(proven)}`);
  const short = proven.filter(
    ({ findings, fault }) =>
      fault !== undefined || findings.some((finding) => 'held' in finding && !finding.held),
  );
  if (short.length > 0) {
    console.log(
      `\n${short.length} of ${proven.length} fell short: ${short.map(({ name }) => name).join(', ')}`,
    );
    process.exitCode = 1;
  } else console.log(`\nAll ${proven.length} held.`);
}

function inChild(name: string): Promise<{ findings: Finding[]; fault?: string }> {
  const child = fork(fileURLToPath(import.meta.url), [
    '--alone',
    name,
    '--seed',
    String(seed),
    ...(options.quick ? ['--quick'] : []),
  ]);
  return new Promise((resolve) => {
    let findings: Finding[] | undefined;
    child.on('message', (message) => {
      findings = message as Finding[];
    });
    child.on('exit', (code, signal) =>
      resolve(
        findings
          ? { findings }
          : { findings: [], fault: `ended without figures (${signal ?? code})` },
      ),
    );
  });
}

async function attemptAlone(name: string): Promise<void> {
  const { proof } = await load(name);
  const startedAt = Date.now();
  const say = (line: string) =>
    console.log(`  ${String(Math.round((Date.now() - startedAt) / 1000)).padStart(4)} s  ${line}`);
  const findings = await proof.attempt({ quick: options.quick, seed, say });
  await new Promise<void>((sent) => process.send?.(findings, () => sent()));
  // A proof may have left a connection open; what it had to tell is told.
  process.exit(0);
}

function machineLine(): string {
  const { cores, cpu, memoryGiB, node } = describeMachine(undefined);
  return `${new Date().toISOString().slice(0, 10)}, ${cores} cores (${cpu}), ${memoryGiB} GiB, Node ${node}`;
}

function load(name: string): Promise<{ proof: Proof }> {
  return import(pathToFileURL(`${folder}${name}.proof.ts`).href);
}
