import { readdirSync, readFileSync, readlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { Worker } from 'node:worker_threads';
import { atLeast } from '../../bench/goals.ts';
import { start, temporaryDirectory } from '../../support/process.ts';
import { bearer, vaultSecret } from '../../support/vault.ts';
import { none, type Proof } from '../proof.ts';

type Attempt = { name: string; succeeded: boolean; how: string };

/**
 * Where this version has no sandbox, a parser runs in a thread of the process that holds the
 * secret: the probe runs there.
 */
async function attemptInThread(
  directory: string,
): Promise<{ attempts: Attempt[]; connections: number }> {
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
  const attempts = await new Promise<Attempt[]>((resolve, reject) =>
    worker.once('message', resolve).once('error', reject),
  );
  await worker.terminate();
  return { attempts, connections: 0 };
}

async function attemptEverything(directory: string) {
  const sandbox = await import('../../support/sandbox-run.ts').catch(() => undefined);
  return sandbox ? sandbox.probeSandbox(directory) : attemptInThread(directory);
}

/** The processes that the program has started, with what the system tells of them. */
const childrenOf = (pid: number) =>
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
      ];
    } catch {
      return [];
    }
  });

async function readersOfProgram(directory: string) {
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
    if (status !== 200) throw new Error(`The document was answered ${status}`);
    const readers = childrenOf(running.process.pid ?? 0).filter(({ command }) =>
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
    'a parser that a document took over gets no secret, no other file, no connection and no process',
  async attempt({ say }) {
    if (process.platform !== 'linux')
      return [{ figure: 'processes of the program', leftOut: 'it looks into /proc' }];
    const directory = temporaryDirectory();
    try {
      const { attempts, connections } = await attemptEverything(directory.path);
      for (const { name, succeeded, how } of attempts)
        say(`${name}: ${succeeded ? 'SUCCEEDED' : `refused ${how}`}`);
      const { restricted, withSecret } = await readersOfProgram(directory.path);
      return [
        none(
          `of ${attempts.length} attempts to leave the sandbox succeeded`,
          attempts.filter(({ succeeded }) => succeeded).length,
        ),
        none('connections that arrived', connections),
        atLeast(19, { figure: 'attempts that were made', value: attempts.length, unit: '' }),
        atLeast(1, {
          figure:
            'processes of the real program that wait for a document under the permission model',
          value: restricted,
          unit: '',
        }),
        none('of them with the secret in their environment', withSecret),
      ];
    } finally {
      directory.remove();
    }
  },
};
