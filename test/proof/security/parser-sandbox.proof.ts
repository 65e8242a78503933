import { readdirSync, readFileSync, readlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { Worker } from 'node:worker_threads';
import { atLeast } from '../../bench/goals.ts';
import { start, temporaryDirectory } from '../../support/process.ts';
import { bearer, vaultSecret } from '../../support/vault.ts';
import { exactlyZero, type Proof } from '../proof.ts';

type EscapeAttempt = { name: string; succeeded: boolean; how: string };

/**
 * The probe for versions without a sandbox: there the parser runs in a thread of the process that
 * holds the secret.
 */
async function probeThread(
  directory: string,
): Promise<{ attempts: EscapeAttempt[]; connections: number }> {
  const foreignFile = join(directory, 'another-document');
  writeFileSync(foreignFile, 'a document of another tenant');
  const target = {
    secretPid: process.pid,
    secret: 'PATH=',
    foreignFile,
    outsideFile: join(directory, 'written'),
    port: 9,
  };
  const probe = new URL('../../support/sandbox-probe.ts', import.meta.url).href;
  const code = `const { parentPort, workerData } = require('node:worker_threads');
    import(workerData.probe).then(async ({ attemptEscapes }) => parentPort.postMessage(await attemptEscapes(workerData.target)));`;
  const worker = new Worker(code, {
    eval: true,
    env: {},
    execArgv: [],
    workerData: { probe, target },
  });
  const attempts = await new Promise<EscapeAttempt[]>((resolve, reject) =>
    worker.once('message', resolve).once('error', reject),
  );
  await worker.terminate();
  return { attempts, connections: 0 };
}

async function probeParser(directory: string) {
  const sandbox = await import('../../support/sandbox-run.ts').catch(() => undefined);
  return sandbox ? sandbox.probeSandbox(directory) : probeThread(directory);
}

type RunningProcess = { command: string[]; environment: string; directory: string };

/** All processes that a process and its descendants have started, from /proc. */
const descendantsOf = (pid: number): RunningProcess[] =>
  readdirSync('/proc').flatMap((name) => {
    try {
      if (
        !/^\d+$/.test(name) ||
        !new RegExp(`^PPid:\\s+${pid}$`, 'm').test(readFileSync(`/proc/${name}/status`, 'utf8'))
      )
        return [];
      const command = readFileSync(`/proc/${name}/cmdline`, 'utf8').split('\0');
      return [
        {
          command,
          environment: readFileSync(`/proc/${name}/environ`, 'utf8'),
          directory: readlinkSync(`/proc/${name}/cwd`),
        },
        ...descendantsOf(Number(name)),
      ];
    } catch {
      return [];
    }
  });

async function inspectReaders(directory: string) {
  const running = await start({
    DATA_DIR: join(directory, 'data'),
    DATABASE_URL: '',
    VAULT_SECRET: vaultSecret,
  });
  try {
    const url = `${running.addresses['vault']}/v1/collections/proof/documents/one`;
    const { status } = await fetch(url, {
      method: 'PUT',
      headers: bearer(vaultSecret),
      body: 'Holidays are thirty days a year.',
    });
    if (status !== 200) throw new Error(`PUT of the document answered ${status}`);
    const readers = descendantsOf(running.process.pid ?? 0).filter(({ command }) =>
      command.some((part) => part.includes('vault/extract/')),
    );
    const restricted = readers.filter(({ command }) => command.includes('--permission'));
    return {
      restricted: restricted.length,
      withSecret: readers.filter(({ environment }) => environment.includes(vaultSecret)).length,
    };
  } finally {
    running.process.kill('SIGKILL');
    await running.ended;
  }
}

export const proof: Proof = {
  claim:
    'A parser that a malicious document has taken over reaches no secret, no other file, no network and no other process',
  async measure({ log }) {
    if (process.platform !== 'linux')
      return [
        {
          figure: 'processes of the server',
          skipped: 'the proof needs /proc, which only Linux has',
        },
      ];
    const directory = temporaryDirectory();
    try {
      const { attempts, connections } = await probeParser(directory.path);
      for (const { name, succeeded, how } of attempts)
        log(`${name}: ${succeeded ? 'SUCCEEDED' : `refused ${how}`}`);
      const { restricted, withSecret } = await inspectReaders(directory.path);
      return [
        exactlyZero(
          `of ${attempts.length} attempts to leave the sandbox, successful ones`,
          attempts.filter(({ succeeded }) => succeeded).length,
        ),
        exactlyZero('connections that reached the network', connections),
        atLeast(19, { figure: 'attempts to leave the sandbox', value: attempts.length, unit: '' }),
        atLeast(1, {
          figure: 'reader processes of the real server under Node’s permission model',
          value: restricted,
          unit: '',
        }),
        exactlyZero('of those, with the secret in their environment', withSecret),
      ];
    } finally {
      directory.remove();
    }
  },
};
