import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { freePort, temporaryDirectory } from '../../support/process.ts';

type Target = { address: string; bearer: string };

const scrapeSeconds = 2;

/**
 * A Prometheus of its own that scrapes these two by the names of deploy/prometheus; undefined where
 * there is none on this machine.
 */
export async function openPrometheus({ api, vault }: { api: Target; vault: Target }) {
  if (spawnSync('prometheus', ['--version']).error) return undefined;
  const directory = temporaryDirectory();
  const job = (name: string, { address, bearer }: Target) => ({
    job_name: name,
    authorization: { credentials: bearer },
    static_configs: [{ targets: [new URL(address).host] }],
  });
  const config = {
    global: { scrape_interval: `${scrapeSeconds}s` },
    scrape_configs: [job('atrium-api', api), job('atrium-vault', vault)],
  };
  // JSON is YAML.
  writeFileSync(join(directory.path, 'prometheus.yml'), JSON.stringify(config));
  const port = await freePort();
  const child = spawn(
    'prometheus',
    [
      `--config.file=${directory.path}/prometheus.yml`,
      `--storage.tsdb.path=${directory.path}/data`,
      `--web.listen-address=127.0.0.1:${port}`,
    ],
    { stdio: 'ignore' },
  );
  const ended = once(child, 'close');
  const ready = async () =>
    (await fetch(`http://127.0.0.1:${port}/-/ready`).catch(() => undefined))?.status === 200;
  for (let tries = 0; tries < 300 && !(await ready()); tries += 1) await wait(100);
  return {
    nextScrape: () => wait(scrapeSeconds * 1_000 + 500),
    /** How many series answer a question that have a value; a fault in the question is thrown. */
    async series(query: string): Promise<number> {
      const response = await fetch(
        `http://127.0.0.1:${port}/api/v1/query?${new URLSearchParams({ query })}`,
      );
      const { status, error, data } = (await response.json()) as {
        status: string;
        error?: string;
        data: { result: { value: [number, string] }[] };
      };
      if (status !== 'success') throw new Error(`${query}: ${error}`);
      return data.result.filter(({ value: [, text] }) => text !== 'NaN').length;
    },
    async stop(): Promise<void> {
      child.kill('SIGKILL');
      await ended;
      directory.remove();
    },
  };
}
