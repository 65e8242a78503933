import { setTimeout as pause } from 'node:timers/promises';
import { atLeast, atMost } from '../../bench/goals.ts';
import type { TestApp } from '../../support/app.ts';
import { linkIn, receiveMail } from '../../support/mail.ts';
import { cookieOf, postJson, sessionWith } from '../../support/sign-in.ts';
import { type Finding, none, type Proof } from '../proof.ts';
import { openSponsoredSite } from './sponsored-site.ts';

const probesAnHourMax = 30;
const probes = 40;
const mailMsMax = 3_000;
const nora = {
  email: 'nora@people.example',
  password: 'a kite above the fjord',
  firstName: 'Nora',
  lastName: 'Nilsen',
};
const ownNames = /Nora|Nilsen/;

export const proof: Proof = {
  claim:
    'an organization that adds an existing account sees its address alone until the person accepts, the person can leave, and no organization finds out about more than 30 addresses an hour',
  long: true,
  async attempt({ say }) {
    const mail = await receiveMail();
    const unlimited = {
      ANONYMOUS_LIMIT: '100000',
      ORGANIZATION_KEY_LIMIT: '100000',
      USER_KEY_LIMIT: '100000',
    };
    const site = await openSponsoredSite({ ...mail.settings, ...unlimited });
    try {
      const stage = await setUp(site, mail);
      const findings = [
        ...(await hidden(stage)),
        ...(await leavingByMail(stage, mail)),
        ...(await visiting(stage)),
        ...(await namesOfAnother(stage)),
      ];
      say('seen, left and accepted; now probing');
      return [...findings, ...(await probing(stage))];
    } finally {
      await site.close();
      await mail.close();
    }
  },
};

type Mail = Awaited<ReturnType<typeof receiveMail>>;
type Stage = Awaited<ReturnType<typeof setUp>>;

/**
 * The organization `rival` attacks Nora, who has an account with a proven address and is in no
 * organization.
 */
async function setUp(
  { request, organizations, partner }: Awaited<ReturnType<typeof openSponsoredSite>>,
  mail: Mail,
) {
  const program = { request } as TestApp;
  const rival = organizations.find(({ slug }) => slug === 'rival');
  if (!rival) throw new Error('the demo has no rival');
  const manageWith = (key: string) => (method: string, path: string, body?: unknown) =>
    request(method, `/api/user-management/v1${path}`, {
      headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json' },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    });
  const auth = async (path: string, body: object) => {
    const answer = await postJson(program, `/auth/${path}`, body, { origin: 'http://atrium.test' });
    if (answer.status !== 200) throw new Error(`${path} answered ${answer.status}: ${answer.text}`);
    return answer;
  };
  const openSession = async (email: string | undefined, password: string | undefined) =>
    sessionWith(program, cookieOf(await auth('sign-in/email', { email, password })));
  await auth('sign-up/email', nora);
  // Who reads the mail with the new password's link has proven the address.
  await auth('request-password-reset', { email: nora.email });
  await auth('reset-password', {
    token: linkIn(await mail.next(nora.email)).searchParams.get('token'),
    password: nora.password,
  });
  const asNora = await openSession(nora.email, nora.password);
  const administrator = rival.users.find(({ role }) => role === 'admin');
  return {
    ...{ request, rival, partner, asNora },
    manage: manageWith(rival.organizationKey),
    manageAsPartner: manageWith(partner.organizationKey),
    asRival: await openSession(administrator?.email, administrator?.password),
    isMember: async () =>
      Number(
        (await manageWith(rival.organizationKey)('GET', `/users?search=${nora.email}`)).body[
          'total'
        ],
      ) > 0,
    defaultOrganization: async () =>
      (
        await asNora.graph<{ viewer: { organization: { slug: string } | null } }>(
          '{ viewer { organization { slug } } }',
        )
      ).data?.viewer.organization,
    anybody: async (query: string, variables: object) =>
      (await postJson(program, '/graphql', { query, variables })).text,
  };
}

async function hidden({ manage, asRival, defaultOrganization }: Stage): Promise<Finding[]> {
  const added = await manage('POST', '/users/add', { email: nora.email });
  if (added.status !== 200) throw new Error(`adding answered ${added.status}: ${added.text}`);
  const { id } = Object(added.body['user']);
  const graph =
    '{ users { items { firstName lastName } } teams { users { items { firstName lastName } } } auditEntries { items { targetName } } }';
  const looks = [
    added.text,
    (await manage('GET', `/users/${id}`)).text,
    (await manage('GET', '/users')).text,
    JSON.stringify((await asRival.graph(graph)).data),
  ];
  const { total } = (await manage('GET', `/users?search=${nora.lastName}`)).body;
  const user = Object((await manage('GET', `/users/${id}`)).body['user']);
  return [
    none(
      `of ${looks.length} answers about a person who has not accepted, those with the names`,
      looks.filter((text) => ownNames.test(text)).length,
    ),
    none('people found by a hidden name', Number(total)),
    none('last sign-ins that are shown', user.lastLogin === null ? 0 : 1),
    none(
      'people whose default organization is the one that added them',
      (await defaultOrganization()) ? 1 : 0,
    ),
  ];
}

async function leavingByMail(
  { request, anybody, isMember }: Stage,
  mail: Mail,
): Promise<Finding[]> {
  const mailed = await Promise.race([mailNaming('Rival AG', mail), pause(mailMsMax, undefined)]);
  let [openings, leavings] = [0, 0];
  if (mailed) {
    const link = linkIn(mailed);
    await request('GET', link.pathname + link.search);
    if (!(await isMember())) openings = 1;
    const decline =
      'mutation Decline($token: String!) { declineAddedMembership(token: $token) { organizationId } }';
    await anybody(decline, { token: link.searchParams.get('token') });
    if (!(await isMember())) leavings = 1;
  }
  return [
    atLeast(1, { figure: 'mails that name the organization', value: mailed ? 1 : 0, unit: '' }),
    none('memberships that opening the link ended', openings),
    atLeast(1, { figure: 'people who left by the link of the mail', value: leavings, unit: '' }),
  ];
}

/** Mails about her password and her device come to the same address. */
async function mailNaming(name: string, mail: Mail) {
  for (;;) {
    const message = await mail.next(nora.email);
    if (message.text?.includes(name)) return message;
  }
}

async function visiting({
  manage,
  asNora,
  isMember,
  rival,
  defaultOrganization,
}: Stage): Promise<Finding[]> {
  await manage('POST', '/users/add', { email: nora.email });
  await asNora.graph('{ organization { id } }', {}, { 'x-atrium-organization': rival.id });
  const seen = await manage('GET', `/users?search=${nora.lastName}`);
  const moved = (await defaultOrganization()) ? 1 : 0;
  await asNora.graph(
    'mutation Leave($id: ResourceId!) { leaveOrganization(organizationId: $id) { success } }',
    { id: rival.id },
  );
  return [
    atLeast(1, {
      figure: 'people who are shown with their names after they visited the workspace',
      value: Number(seen.body['total']),
      unit: '',
    }),
    none('people whose default organization it is after the visit', moved),
    atLeast(1, {
      figure: 'people who left by leaveOrganization',
      value: (await isMember()) ? 0 : 1,
      unit: '',
    }),
  ];
}

async function namesOfAnother({ manage, manageAsPartner }: Stage): Promise<Finding[]> {
  const email = 'new@people.example';
  await manage('POST', '/users', { email, firstName: 'Secret', lastName: 'Project' });
  const seen = await manageAsPartner('POST', '/users/add', { email });
  return [
    none(
      'names that one organization gave and another one sees',
      /Secret|Project/.test(seen.text) ? 1 : 0,
    ),
  ];
}

async function probing({ manage, partner }: Stage): Promise<Finding[]> {
  const known = partner.users.map(({ email }) => email);
  const unknown = Array.from(
    { length: probes - known.length },
    (_, index) => `person${index}@elsewhere.example`,
  );
  const answers = await Promise.all(
    [...unknown, ...known].map((email) => manage('POST', '/users/add', { email })),
  );
  const refused = answers.filter(({ status }) => status === 429);
  const provisioned = await Promise.all(
    Array.from({ length: 10 }, (_, index) =>
      manage('POST', '/users', { email: `hire${index}@rival.example` }),
    ),
  );
  return [
    atMost(probesAnHourMax, {
      figure: `of ${probes} addresses probed at once, those about which an answer told`,
      value: probes - refused.length,
      unit: '',
    }),
    none(
      'refusals without Retry-After',
      refused.filter(({ headers }) => !(Number(headers.get('retry-after')) > 0)).length,
    ),
    atLeast(10, {
      figure: 'of 10 new people, those who could be brought in afterwards',
      value: provisioned.filter(({ status }) => status === 200).length,
      unit: '',
    }),
  ];
}
