import { receiveMail } from '../../support/mail.ts';
import { start } from '../../support/process.ts';

type From = { network?: string; cookie?: string; headers?: Record<string, string> };
type SiteAnswer = { status: number; headers: Headers; text: string; ms: number };

/** The real program with its demo workspace, whose clients are told apart by X-Forwarded-For. */
export async function openSite(settings: Record<string, string> = {}) {
  const mail = await receiveMail();
  const program = await start(
    {
      DATA_DIR: ':memory:',
      TRUSTED_PROXIES: '127.0.0.1',
      LOG_LEVEL: 'info',
      ...mail.settings,
      ...settings,
    },
    ['api'],
  );
  const { address } = program;
  const [, email = '', password = ''] = /(ada@\S+)\s+password (\S+)/.exec(program.output()) ?? [];
  const [organizationKey = ''] = /sk_svc_um_\w+/.exec(program.output()) ?? [];

  async function send(
    path: string,
    body: string | undefined,
    { network = '203.0.113.1', cookie, headers = {} }: From = {},
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
    program,
    address,
    email,
    password,
    organizationKey,
    mail,
    send,
    post: (path: string, body: object, from?: From) => send(path, JSON.stringify(body), from),
    signIn: (as: { email: string; password: string }, from?: From) =>
      send('/auth/sign-in/email', JSON.stringify(as), from),
    logLines: () => program.output().split('\n'),
    async close() {
      program.process.kill('SIGTERM');
      await program.ended;
      await mail.close();
    },
  };
}

/** The cookies of an answer, as a browser sends them back. */
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
