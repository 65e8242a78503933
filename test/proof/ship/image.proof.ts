import { spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { atMost, type Goal } from '../../bench/goals.ts';
import { exactlyZero, type Proof, type ProofFinding } from '../proof.ts';
import { buildImage, imageUnavailableReason } from './image-build.ts';
import { runImage } from './image-run.ts';

// Tools and sources that only the build needs, and tools that would help an intruder.
const unneededPaths = [
  ...['vite', 'prisma', 'typescript', 'vitest', 'react', 'katex'].map(
    (name) => `app/node_modules/${name}`,
  ),
  ...[
    'app/src/console/web',
    'app/test',
    'app/.git',
    'app/package-lock.json',
    'usr/local/bin/npm',
    'usr/local/lib/node_modules',
    'usr/bin/curl',
    'usr/bin/wget',
  ],
];
const question = 'How much is the meal allowance in Germany?';

export const proof: Proof = {
  claim:
    'The image is small, runs without root, privileges or a writable file system, reports its health, and stops on SIGTERM',
  long: true,
  async measure({ log }) {
    const reason = imageUnavailableReason();
    if (reason !== undefined) return [{ figure: 'the image', skipped: reason }];
    const image = await buildImage(log);
    try {
      const megabytes = Number(
        spawnSync('du', ['-sxm', image.files], { encoding: 'utf8' }).stdout.split('\t')[0],
      );
      const unneededInImage = unneededPaths.filter((path) => existsSync(join(image.files, path)));
      for (const path of unneededInImage) log(`${path} is in the image`);
      return [
        atMost(550, {
          figure: 'size of all files with Debian and Node',
          value: megabytes,
          unit: 'MB',
        }),
        exactlyZero('unneeded tools and sources in the image', unneededInImage.length),
        isTrue(
          'its user is a numeric id other than root',
          /^[1-9]\d*(:[1-9]\d*)?$/.test(image.config.User),
        ),
        ...(await measureRun(image, log)),
        {
          figure: 'the same with a container engine',
          skipped: 'the proof uses namespaces, a read-only mount and a user instead of an engine',
        },
      ];
    } finally {
      await image.remove();
    }
  },
};

async function measureRun(
  image: Parameters<typeof runImage>[0],
  log: (line: string) => void,
): Promise<ProofFinding[]> {
  log('running the image on a read-only file system with /tmp and /data');
  const running = await runImage(image, { NODE_ENV: 'development' });
  try {
    const status = running.status();
    const healthy = await running.checkHealth();
    const page = await (await fetch(running.address)).text();
    const script = /src="([^"]+\.js)"/.exec(page)?.[1] ?? '/none';
    const scriptStatus = (await fetch(running.address + script)).status;
    const citation = await citationOf(running.address, running.output());
    const { code, seconds } = await running.stop();
    const refusedWrites = running.output().match(/EROFS|EACCES|read-only file system/gi) ?? [];
    return [
      isTrue(
        'runs as user 10001 and as process 1, without capabilities and unable to gain them',
        isConfined(status),
      ),
      isTrue('HEALTHCHECK reports healthy', healthy === 0),
      isTrue('serves the console', scriptStatus === 200),
      isTrue('cites a page of a PDF that it has indexed', citation === 'travel-policy.pdf#page=2'),
      exactlyZero('refused writes outside /data and /tmp', refusedWrites.length),
      isTrue('exits with 0 on SIGTERM', code === 0),
      atMost(10, { figure: 'time from SIGTERM to the exit', value: seconds, unit: 's' }),
    ];
  } catch (error) {
    log(running.output().slice(-2_000));
    throw error;
  } finally {
    running.kill();
  }
}

const isConfined = (status: string): boolean =>
  /^Uid:\s+10001\s+10001\s+10001\s+10001$/m.test(status) &&
  /^CapEff:\s+0+$/m.test(status) &&
  /^NoNewPrivs:\s+1$/m.test(status) &&
  /^NSpid:.*\s1$/m.test(status);

async function citationOf(address: string, output: string): Promise<string | undefined> {
  const [, key = ''] = /admin .* key (sk_svc_\w+)/.exec(output) ?? [];
  const [, assistant = ''] = /assistants\/v1\/([\w-]+)\/run/.exec(output) ?? [];
  const headers = { authorization: `Bearer ${key}`, 'content-type': 'application/json' };
  const body = JSON.stringify({ messages: [{ role: 'user', content: question }] });
  for (let tries = 0; tries < 60; tries += 1) {
    const answer = await fetch(`${address}/api/assistants/v1/${assistant}/run`, {
      method: 'POST',
      headers,
      body,
    });
    const { citations = [] } = (await answer.json()) as { citations?: string[] };
    if (citations[0] !== undefined) return citations[0];
    await pause(1_000);
  }
  return undefined;
}

const isTrue = (figure: string, held: boolean): Goal => ({
  figure,
  value: held ? 1 : 0,
  unit: '',
  goal: 'yes',
  held,
});
