import { spawnSync } from 'node:child_process';
import { afterAll, afterEach, describe, expect, it } from 'vitest';
import { type Running, run, start, temporaryDirectory } from './support/process.ts';

const running: Running[] = [];
const directories: { remove: () => void }[] = [];

const directory = () => {
  const made = temporaryDirectory();
  directories.push(made);
  return made.path;
};

async function startIn(DATA_DIR: string, settings: Record<string, string> = {}) {
  const server = await start({ DATA_DIR, ...settings });
  running.push(server);
  return server;
}

afterEach(async () => {
  for (const server of running.splice(0)) {
    server.process.kill('SIGKILL');
    await server.ended;
  }
});
afterAll(() => {
  for (const made of directories) made.remove();
});

const keyIn = (output: string) => /sk_svc_um_\w+/.exec(output)?.[0] ?? '';
const usersOf = async (address: string, key: string) =>
  (await fetch(`${address}/api/user-management/v1/users`, { headers: { authorization: `Bearer ${key}` } })).json();

describe('npm start', () => {
  it('makes a demo workspace on the first start, whose printed curl lines work; a second start keeps it and prints no key', async () => {
    const data = directory();
    const first = await startIn(data);
    const key = keyIn(first.output());
    const lines = first.output().match(/curl .+/g) ?? [];
    expect(lines).toHaveLength(3);
    for (const line of lines) {
      const pasted = spawnSync('bash', ['-c', line], { encoding: 'utf8' });
      expect(pasted.stdout).toMatch(/^\{"(status":"success"|data":)/);
    }
    first.process.kill('SIGTERM');
    expect(await first.ended).toBe(0);

    const second = await startIn(data);
    expect(second.output()).not.toMatch(/sk_svc_\w/);
    expect(await usersOf(second.address, key)).toMatchObject({ status: 'success', total: 3 });
  });

  it('says at the start all that is wrong with the settings, and ends with 1', async () => {
    const { ended, stderr } = run('src/main.ts', { PORT: 'abc', DATABASE_URL: 'mysql://nowhere', LOG_LEVEL: 'loud', ORGANIZATION_KEY_LIMIT: '0' });
    expect(await ended).toBe(1);
    for (const name of ['PORT', 'DATABASE_URL', 'LOG_LEVEL', 'ORGANIZATION_KEY_LIMIT']) expect(stderr()).toContain(name);
    expect(stderr()).not.toMatch(/\n\s+at /);
  });

  it('refuses embedded data that another process holds, and names that process', async () => {
    const data = directory();
    const first = await startIn(data);
    const { ended, stderr } = run('src/main.ts', { PORT: '0', DATA_DIR: data });
    expect(await ended).toBe(1);
    expect(stderr()).toContain(String(first.process.pid));
    expect((await fetch(`${first.address}/readyz`)).status).toBe(200);
  });

  it('in production makes no demo data and prints a one-time set-up link', async () => {
    const server = await startIn(directory(), { NODE_ENV: 'production' });
    expect(server.output()).not.toMatch(/sk_svc_\w/);
    expect(server.output()).toMatch(/http:\/\/127\.0\.0\.1:\d+\/setup\?token=[\w-]{20,}/);
  });

  it('lets what runs end when it is stopped, and is not ready meanwhile', async () => {
    const server = await startIn(directory());
    const key = keyIn(server.output());
    const answers = Array.from({ length: 20 }, (_, index) =>
      fetch(`${server.address}/api/user-management/v1/users`, {
        method: 'POST',
        headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json' },
        body: JSON.stringify({ email: `stop${index}@stop.example` }),
      }).then(({ status }) => status),
    );
    await expect.poll(() => Promise.race([...answers, Promise.resolve(0)])).toBe(200);
    server.process.kill('SIGTERM');
    await expect.poll(async () => (await fetch(`${server.address}/readyz`)).status).toBe(503);
    expect(new Set(await Promise.all(answers))).toEqual(new Set([200]));
    expect(await server.ended).toBe(0);
    expect(server.output()).not.toMatch(/"level":"(error|fatal)"/);
  });
});

describe('npm run seed', () => {
  it('prints one JSON object and nothing else, whose keys and passwords work; a second run is refused', async () => {
    const data = directory();
    const settings = { DATA_DIR: data };
    const first = run('src/seed.ts', settings, ['--json']);
    expect(await first.ended).toBe(0);
    const { organizations } = JSON.parse(first.stdout());
    expect(organizations.map(({ slug }: { slug: string }) => slug)).toEqual(['partner', 'rival', 'plain']);
    for (const organization of organizations) {
      expect(Object.keys(organization).sort()).toEqual(['assistants', 'features', 'id', 'organizationKey', 'slug', 'teams', 'users']);
      expect(organization.users.map(({ role }: { role: string }) => role)).toEqual(['admin', 'editor', 'viewer', 'outsider']);
      for (const user of organization.users) expect(Object.keys(user).sort()).toEqual(['email', 'id', 'password', 'role', 'userKey']);
      expect(organization.teams.filter(({ isDefault }: { isDefault: boolean }) => isDefault)).toHaveLength(1);
      expect(organization.assistants).toEqual([]);
    }
    const again = run('src/seed.ts', settings, ['--json']);
    expect(await again.ended).toBe(1);
    expect(again.stdout()).toBe('');
    expect(again.stderr()).toMatch(/already/);

    const server = await startIn(data);
    expect(server.output()).not.toMatch(/sk_svc_\w/);
    const [partner, rival, plain] = organizations;
    for (const { organizationKey } of [partner, rival]) expect(await usersOf(server.address, organizationKey)).toMatchObject({ status: 'success', total: 4 });
    expect(await usersOf(server.address, plain.organizationKey)).toMatchObject({ status: 'error' });
    expect(await usersOf(server.address, partner.users[0].userKey)).toMatchObject({ status: 'error' });
  });

  it('is refused in production', async () => {
    const { ended, stderr, stdout } = run('src/seed.ts', { DATA_DIR: directory(), NODE_ENV: 'production' }, ['--json']);
    expect(await ended).toBe(1);
    expect(stdout()).toBe('');
    expect(stderr()).toMatch(/production/);
  });
});

describe('the addresses for other programs', () => {
  it('/livez and /readyz answer without a key; /metrics only with its token', async () => {
    const token = 'a-token-of-the-test';
    const server = await startIn(directory(), { METRICS_TOKEN: token });
    expect((await fetch(`${server.address}/livez`)).status).toBe(200);
    expect((await fetch(`${server.address}/readyz`)).status).toBe(200);
    expect((await fetch(`${server.address}/metrics`)).status).toBe(401);
    expect((await fetch(`${server.address}/metrics`, { headers: { authorization: 'Bearer wrong' } })).status).toBe(401);
    const metrics = await fetch(`${server.address}/metrics`, { headers: { authorization: `Bearer ${token}` } });
    expect(metrics.status).toBe(200);
    expect(await metrics.text()).toContain('atrium_http_requests_total');
  });

  it('without a token in the settings there is no /metrics', async () => {
    const server = await startIn(directory());
    expect((await fetch(`${server.address}/metrics`)).status).toBe(404);
  });
});
