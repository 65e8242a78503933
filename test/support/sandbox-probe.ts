import { readFileSync, writeFileSync, writeSync } from 'node:fs';

// What a parser that a document has taken over would try. It runs where documents are read, with
// the same launch.

type ProbeTarget = {
  secretPid: number;
  secret: string;
  foreignFile: string;
  outsideFile: string;
  port: number;
};
type EscapeAttempt = { name: string; succeeded: boolean; how: string };

/** Reads, writes, connections and processes that a reader does not need, each in several ways. */
export async function attemptEscapes({
  secretPid,
  secret,
  foreignFile,
  outsideFile,
  port,
}: ProbeTarget): Promise<EscapeAttempt[]> {
  const attempts: EscapeAttempt[] = [];
  const attempt = async (name: string, act: () => unknown) => {
    try {
      const result = await act();
      attempts.push({ name, succeeded: result !== false, how: '' });
    } catch (error) {
      attempts.push({
        name,
        succeeded: false,
        how:
          error instanceof Error
            ? 'code' in error
              ? String(error.code)
              : error.message.slice(0, 80)
            : 'refused',
      });
    }
  };
  const containsSecret = (text: string) => text.includes(secret);
  const connects = (connect: (port: number, host: string) => NodeJS.EventEmitter) =>
    new Promise((resolve, reject) =>
      connect(port, '127.0.0.1').once('connect', resolve).once('error', reject),
    );
  const builtin = (name: string) => process.getBuiltinModule(name) as never;

  await attempt('read the secret in the environment', () =>
    containsSecret(JSON.stringify(process.env)),
  );
  await attempt('read the secret in /proc/self/environ', () =>
    containsSecret(readFileSync('/proc/self/environ', 'utf8')),
  );
  await attempt("read the secret in the parent's environment", () =>
    containsSecret(readFileSync(`/proc/${secretPid}/environ`, 'utf8')),
  );
  await attempt('read another file', () => readFileSync(foreignFile));
  for (const path of ['../../src/platform/settings.ts', '../../node_modules/pg/package.json'])
    await attempt(`read ${path} of the program`, () =>
      readFileSync(new URL(path, import.meta.url)),
    );
  await attempt('write outside its directory', () => writeFileSync(outsideFile, 'x'));
  await attempt('connect by import', async () => connects((await import('node:net')).connect));
  await attempt('connect by require', async () =>
    connects((await import('node:module')).createRequire(import.meta.url)('net').connect),
  );
  await attempt('connect by getBuiltinModule', () =>
    connects((builtin('net') as typeof import('node:net')).connect),
  );
  await attempt('connect by fetch', () => fetch(`http://127.0.0.1:${port}/`));
  await attempt('connect by http', async () => connects((await import('node:http')).get as never));
  await attempt(
    'connect by WebSocket',
    () =>
      new Promise((resolve, reject) =>
        Object.assign(new WebSocket(`ws://127.0.0.1:${port}`), {
          onopen: resolve,
          onerror: reject,
        }),
      ),
  );
  await attempt('connect by the class of its standard input', () =>
    connects((to, host) =>
      new (process.stdin.constructor as typeof import('node:net').Socket)().connect(to, host),
    ),
  );
  await attempt('send a datagram', async () =>
    (await import('node:dgram')).createSocket('udp4').send('x', port, '127.0.0.1'),
  );
  await attempt('resolve a name', async () =>
    (await import('node:dns/promises')).lookup('localhost'),
  );
  await attempt('spawn a process', async () =>
    (await import('node:child_process')).execFileSync('/bin/true'),
  );
  await attempt(
    'start a thread',
    async () => new (await import('node:worker_threads')).Worker('0', { eval: true }),
  );
  await attempt('reach bindings of Node', () =>
    (process as unknown as { binding(name: string): unknown }).binding('tcp_wrap'),
  );
  await attempt('send the parent a signal', () => process.kill(secretPid, 0));
  await attempt('add a hook to the loader', async () =>
    (await import('node:module')).registerHooks({}),
  );
  return attempts;
}

// As the program of a sandbox it gets its target on standard input and responds like a reader.
if (process.argv[2]?.endsWith('/sandbox-probe.ts')) {
  const head = Buffer.alloc(65_536);
  const target: ProbeTarget = JSON.parse(
    head.toString('utf8', 0, (await import('node:fs')).readSync(0, head)),
  );
  writeSync(3, JSON.stringify(await attemptEscapes(target)));
}
