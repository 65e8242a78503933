import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { setTimeout as pause } from 'node:timers/promises';
import { createApp } from '../../src/app.ts';
import { seed } from '../../src/modules/demo/seed.ts';
import { announceDue } from '../../src/modules/events/announce-due.ts';
import { type Clock, systemClock } from '../../src/platform/clock.ts';
import { readEnv } from '../../src/platform/env.ts';
import { createErrorLog } from '../../src/platform/log.ts';
import { openBrowser } from './browser.ts';
import { testDatabase } from './database.ts';
import { type DemoPage, pagesOf } from './demo-pages.ts';
import { type SessionCookies, signInCookies } from './sign-in-cookies.ts';
import { startVaultServers } from './vault-servers.ts';

export type DemoConsole = Awaited<ReturnType<typeof openDemoConsole>>;

/** The console with the demo data, its vault and a browser, for work on every page of it. */
export async function openDemoConsole({ clock = systemClock }: { clock?: Clock } = {}) {
  const env = readEnv({
    NODE_ENV: 'test',
    DATA_DIR: ':memory:',
    LOG_LEVEL: 'warn',
    USER_KEY_LIMIT: '100000',
    ANONYMOUS_LIMIT: '100000',
  });
  const database = await testDatabase();
  const vault = await startVaultServers({ yaml: 'logging:\n  system_monitoring_interval: 1' });
  const log = createErrorLog(env);
  const app = await createApp({ env, database, log, clock, vault: vault.client });
  const { organizations } = await seed({ database, clock, files: app.services.files });
  // Written now, and not when the first minute of the server is over.
  await announceDue({ database, clock });
  // The clock stands still, and notifications of one moment have no order.
  await database.sql`
    update notifications n set created_at = n.created_at - o.number * interval '1 hour'
    from (select id, row_number() over (order by kind, id) as number from notifications) o
    where o.id = n.id`;
  app.startProcessing();
  while (
    await database.prisma.assistantFile.findFirst({
      where: { status: { in: ['PENDING', 'PROCESSING'] } },
      select: { id: true },
    })
  )
    await pause(200);
  const server = createServer(app.listener).listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port }: AddressInfo = Object(server.address());
  const origin = `http://127.0.0.1:${port}`;
  const [partner] = organizations;
  const administrator = partner?.users[0];
  if (!partner || !administrator) throw new Error('The seed made no organization');
  const cookies = await signInCookies(origin, administrator);
  const invitation = await invite(origin, cookies);
  const pages = await pagesOf({ database, partner, invitation });
  const browser = await openBrowser(origin);
  return {
    origin,
    partner,
    database,
    pages,
    faults: browser.faults,
    /** Opens a page of the browser, in which the administrator is signed in unless told otherwise. */
    page: ({ signedOut = false, ...options }: DemoPageOptions = {}) =>
      browser.page({ ...options, cookies: signedOut ? [] : cookies }),
    async close() {
      await browser.close();
      server.closeAllConnections();
      server.close();
      await app.close();
      await vault.close();
      await database.close();
    },
  };
}

type DemoPageOptions = { signedOut?: boolean } & Omit<
  NonNullable<Parameters<Awaited<ReturnType<typeof openBrowser>>['page']>[0]>,
  'cookies'
>;

/** Opens a page of the console and waits until it shows what it has loaded. */
export async function showPage(
  page: Awaited<ReturnType<DemoConsole['page']>>,
  origin: string,
  { path, prepare }: DemoPage,
): Promise<void> {
  await page.goto(origin + path);
  await page.getByRole('heading', { level: 1 }).first().waitFor();
  await prepare?.(page);
  await page.waitForFunction(() => document.querySelector('[aria-busy="true"]') === null);
}

/** Creates an invitation in this session and returns the path of its link. */
async function invite(origin: string, cookies: SessionCookies): Promise<string> {
  const answer = await fetch(`${origin}/graphql`, {
    method: 'POST',
    headers: {
      'content-type': 'application/json',
      cookie: cookies.map(({ name, value }) => `${name}=${value}`).join('; '),
    },
    body: JSON.stringify({
      query:
        'mutation { inviteMember(input: { email: "nina@partner.example", role: MEMBER }) { link } }',
    }),
  });
  const { data } = (await answer.json()) as { data: { inviteMember: { link: string } } };
  return data.inviteMember.link.replace(origin, '');
}
