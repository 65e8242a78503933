import { spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { atMost, type Goal } from '../../bench/goals.ts';
import { type Finding, none, type Proof } from '../proof.ts';
import { buildImage, whyNoImage } from './image-build.ts';
import { runImage } from './image-run.ts';

// Tools and sources that only build, and whatever a shell of an intruder would like to find.
const notNeeded = [
  ...['vite', 'prisma', 'typescript', 'vitest', 'react', 'recharts'].map(
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
    'the image is small, runs without a root, privileges or a file system to write to, knows its health, and stops on SIGTERM',
  long: true,
  async attempt({ say }) {
    const reason = whyNoImage();
    if (reason !== undefined) return [{ figure: 'the image', leftOut: reason }];
    const image = await buildImage(say);
    try {
      const megabytes = Number(
        spawnSync('du', ['-sxm', image.files], { encoding: 'utf8' }).stdout.split('\t')[0],
      );
      const found = notNeeded.filter((path) => existsSync(join(image.files, path)));
      for (const path of found) say(`${path} is in the image`);
      return [
        atMost(550, {
          figure: 'size of all its files with Debian and Node',
          value: megabytes,
          unit: 'MB',
        }),
        none('things in it that do not run', found.length),
        isTrue(
          'its user is a number that is not root',
          /^[1-9]\d*(:[1-9]\d*)?$/.test(image.config.User),
        ),
        ...(await findingsOfRun(image, say)),
        {
          figure: 'the same by an engine for containers',
          leftOut: 'namespaces, a read-only mount and a user do here what an engine does',
        },
      ];
    } finally {
      await image.remove();
    }
  },
};

async function findingsOfRun(
  image: Parameters<typeof runImage>[0],
  say: (line: string) => void,
): Promise<Finding[]> {
  say('running it on a read-only file system, with /tmp and /data');
  const running = await runImage(image, { NODE_ENV: 'development' });
  try {
    const status = running.status();
    const healthy = await running.checkHealth();
    const page = await (await fetch(running.address)).text();
    const script = /src="([^"]+\.js)"/.exec(page)?.[1] ?? '/none';
    const served = (await fetch(running.address + script)).status;
    const citation = await citationOf(running.address, running.output());
    const { code, seconds } = await running.stop();
    const refusedWrites = running.output().match(/EROFS|EACCES|read-only file system/gi) ?? [];
    return [
      isTrue(
        'runs as user 10001, the first process, with no capability and no way to one',
        isConfined(status),
      ),
      isTrue('HEALTHCHECK says that it is healthy', healthy === 0),
      isTrue('serves the console', served === 200),
      isTrue(
        'answers from a page of a PDF that it has read and indexed',
        citation === 'travel-policy.pdf#page=2',
      ),
      none('writes outside of /data and /tmp, which were refused', refusedWrites.length),
      isTrue('ends with 0 on SIGTERM', code === 0),
      atMost(10, { figure: 'time from SIGTERM to its end', value: seconds, unit: 's' }),
    ];
  } catch (error) {
    say(running.output().slice(-2_000));
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
    await wait(1_000);
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
