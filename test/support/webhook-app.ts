import { type TestApp, type TestOrganization, testApp } from './app.ts';
import { receiveMail } from './mail.ts';
import { settleEvents } from './settle-events.ts';

export type Endpoint = {
  id: string;
  state: string;
  disabledReason: string | null;
  publicKey: string;
} & Record<string, unknown>;
export type Delivery = {
  id: string;
  eventId: string;
  eventType: string | null;
  state: string;
  tries: number;
  lastStatus: number | null;
  lastError: string | null;
  lastAnswer: string | null;
  body: string;
  nextTryAt: string | null;
};

const path = '/api/events/v1/endpoints';

/** An application that delivers webhooks to this machine, with a clock that tests advance. */
export async function webhookApp(settings: Record<string, string> = {}) {
  const mail = await receiveMail();
  let now = new Date();
  const app = await testApp(
    {
      ...{ PUBLIC_REQUEST_LOOPBACK: 'true', ORGANIZATION_KEY_LIMIT: '1000000' },
      // All processes read the same secrets.
      AUTH_SECRET: 'a secret of all processes of a test',
      ...mail.settings,
      ...settings,
    },
    { clock: () => now },
  );
  return {
    ...app,
    mail,
    now: () => now,
    advance(ms: number) {
      now = new Date(now.getTime() + ms);
    },
    async close() {
      await app.close();
      await mail.close();
    },
  };
}

export type WebhookApp = Awaited<ReturnType<typeof webhookApp>>;

/** What an organization does with its webhooks over REST. */
export function webhooksOf({ call, manage }: TestOrganization, app: Pick<TestApp, 'database'>) {
  const ask = async (method: string, at: string, body?: unknown) => {
    const answer = await call(method, at, body);
    if (answer.status !== 200) throw new Error(`${method} ${at} answered ${answer.text}`);
    return answer.body;
  };
  const deliveries = async (endpointId: string, query = ''): Promise<Delivery[]> =>
    (await ask('GET', `${path}/${endpointId}/deliveries${query}`))['deliveries'] as Delivery[];
  return {
    async create(url: string, settings: Record<string, unknown> = {}) {
      const { endpoint, secret } = await ask('POST', path, { url, ...settings });
      return { ...(endpoint as Endpoint), secret: String(secret) };
    },
    get: async (id: string) => (await ask('GET', `${path}/${id}`))['endpoint'] as Endpoint,
    update: async (id: string, settings: Record<string, unknown>) =>
      (await ask('PATCH', `${path}/${id}`, settings))['endpoint'] as Endpoint,
    remove: (id: string) => ask('DELETE', `${path}/${id}`),
    rotate: async (id: string, overlapHours?: number) =>
      String((await ask('POST', `${path}/${id}/rotate`, { overlapHours }))['secret']),
    test: async (id: string) => (await ask('POST', `${path}/${id}/test`))['delivery'] as Delivery,
    replay: (id: string, range: Record<string, unknown>) =>
      ask('POST', `${path}/${id}/replay`, range),
    retry: async (id: string) =>
      (await ask('POST', `/api/events/v1/deliveries/${id}/retry`))['delivery'] as Delivery,
    deliveries,
    /** Creates a team: an event of the type `team.created`. */
    async createTeam(name: string): Promise<string> {
      const { body } = await manage('POST', '/teams', { name });
      return Object(body['team']).id;
    },
    renameTeam: (id: string, name: string) => manage('PATCH', `/teams/${id}`, { name }),
    settle: () => settleEvents(app.database),
  };
}
