import { receiveMail } from '../../support/mail.ts';
import { start } from '../../support/process.ts';

type ClientOptions = { network?: string; cookie?: string; headers?: Record<string, string> };
type SiteAnswer = { status: number; headers: Headers; text: string; ms: number };

/** The real server with its demo workspace; X-Forwarded-For distinguishes the clients. */
export async function openSite(settings: Record<string, string> = {}) {
  const mail = await receiveMail();
  const server = await start(
    {
      DATA_DIR: ':memory:',
      TRUSTED_PROXIES: '127.0.0.1',
      LOG_LEVEL: 'info',
      ...mail.settings,
      ...settings,
    },
    ['api'],
  );
  const { address } = server;
  const [, email = '', password = ''] = /(ada@\S+)\s+password (\S+)/.exec(server.output()) ?? [];
  const [organizationKey = ''] = /sk_svc_um_\w+/.exec(server.output()) ?? [];

  async function send(
    path: string,
    body: string | undefined,
    { network = '203.0.113.1', cookie, headers = {} }: ClientOptions = {},
  ): Promise<SiteAnswer> {
    const startedAt = performance.now();
    const response = await fetch(address + path, {
      method: body === undefined ? 'GET' : 'POST',
      redirect: 'manual',
      headers: {
        ...(network === '' ? {} : { 'x-forwarded-for': network }),
        ...(body === undefined
          ? {}
          : { 'content-type': 'application/json', origin: settings['ORIGIN'] ?? address }),
        ...(cookie === undefined ? {} : { cookie }),
        ...headers,
      },
      ...(body === undefined ? {} : { body }),
    });
    const text = await response.text();
    return {
      status: response.status,
      headers: response.headers,
      text,
      ms: performance.now() - startedAt,
    };
  }

  return {
    server,
    address,
    email,
    password,
    organizationKey,
    mail,
    send,
    post: (path: string, body: object, client?: ClientOptions) =>
      send(path, JSON.stringify(body), client),
    signIn: (credentials: { email: string; password: string }, client?: ClientOptions) =>
      send('/auth/sign-in/email', JSON.stringify(credentials), client),
    logLines: () => server.output().split('\n'),
    async close() {
      server.process.kill('SIGTERM');
      await server.ended;
      await mail.close();
    },
  };
}

/** The cookies of an answer in the form of a Cookie header. */
export const cookiesOf = ({ headers }: Pick<SiteAnswer, 'headers'>): string =>
  headers
    .getSetCookie()
    .map((line) => line.split(';')[0])
    .join('; ');

export const isStatus = (figure: string, value: number, status: number) => ({
  figure,
  value,
  unit: '',
  goal: String(status),
  held: value === status,
});
