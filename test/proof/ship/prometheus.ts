import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { freePort, temporaryDirectory } from '../../support/process.ts';

type ScrapeTarget = { address: string; bearer: string };

const scrapeSeconds = 2;

/**
 * Starts a Prometheus that scrapes both servers under the job names of deploy/prometheus; undefined
 * where it is not installed.
 */
export async function startPrometheus({ api, vault }: { api: ScrapeTarget; vault: ScrapeTarget }) {
  if (spawnSync('prometheus', ['--version']).error) return undefined;
  const directory = temporaryDirectory();
  const job = (name: string, { address, bearer }: ScrapeTarget) => ({
    job_name: name,
    authorization: { credentials: bearer },
    static_configs: [{ targets: [new URL(address).host] }],
  });
  const config = {
    global: { scrape_interval: `${scrapeSeconds}s` },
    scrape_configs: [job('atrium-api', api), job('atrium-vault', vault)],
  };
  // Every JSON document is valid YAML.
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
  const isReady = async () =>
    (await fetch(`http://127.0.0.1:${port}/-/ready`).catch(() => undefined))?.status === 200;
  for (let tries = 0; tries < 300 && !(await isReady()); tries += 1) await pause(100);
  return {
    nextScrape: () => pause(scrapeSeconds * 1_000 + 500),
    /** The number of series of a query that have a value. Throws when the query is invalid. */
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
