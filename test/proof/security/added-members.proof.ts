import { setTimeout as pause } from 'node:timers/promises';
import { atLeast, atMost } from '../../bench/goals.ts';
import type { TestApp } from '../../support/app.ts';
import { linkIn, receiveMail } from '../../support/mail.ts';
import { cookieOf, postJson, sessionWith } from '../../support/sign-in.ts';
import { exactlyZero, type Proof, type ProofFinding } from '../proof.ts';
import { openSponsoredSite } from './sponsored-site.ts';

const probesAnHourMax = 30;
const probeCount = 40;
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
    'An organization that adds an existing account sees only its address until the person accepts; the person can leave, and an organization can probe at most 30 addresses an hour',
  long: true,
  async measure({ log }) {
    const mail = await receiveMail();
    const unlimited = {
      ANONYMOUS_LIMIT: '100000',
      ORGANIZATION_KEY_LIMIT: '100000',
      USER_KEY_LIMIT: '100000',
    };
    const site = await openSponsoredSite({ ...mail.settings, ...unlimited });
    try {
      const scene = await setUpScene(site, mail);
      const findings = [
        ...(await checkHiddenNames(scene)),
        ...(await checkLeavingByMail(scene, mail)),
        ...(await checkAfterVisit(scene)),
        ...(await checkNamesOfOtherOrganization(scene)),
      ];
      log('names, leaving and accepting are checked; now probing addresses');
      return [...findings, ...(await checkProbing(scene))];
    } finally {
      await site.close();
      await mail.close();
    }
  },
};

type Mailbox = Awaited<ReturnType<typeof receiveMail>>;
type TestScene = Awaited<ReturnType<typeof setUpScene>>;

/**
 * The organization `rival` attacks Nora, who has an account with a verified address and belongs to
 * no organization.
 */
async function setUpScene(
  { request, organizations, partner }: Awaited<ReturnType<typeof openSponsoredSite>>,
  mail: Mailbox,
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
  // Setting a password through the link of a mail verifies the address.
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
    sendAnonymously: async (query: string, variables: object) =>
      (await postJson(program, '/graphql', { query, variables })).text,
  };
}

async function checkHiddenNames({
  manage,
  asRival,
  defaultOrganization,
}: TestScene): Promise<ProofFinding[]> {
  const added = await manage('POST', '/users/add', { email: nora.email });
  if (added.status !== 200) throw new Error(`adding answered ${added.status}: ${added.text}`);
  const { id } = Object(added.body['user']);
  const graph =
    '{ users { nodes { firstName lastName } } teams { nodes { users { nodes { firstName lastName } } } } auditEntries { nodes { targetName } } }';
  const answers = [
    added.text,
    (await manage('GET', `/users/${id}`)).text,
    (await manage('GET', '/users')).text,
    JSON.stringify((await asRival.graph(graph)).data),
  ];
  const { total } = (await manage('GET', `/users?search=${nora.lastName}`)).body;
  const user = Object((await manage('GET', `/users/${id}`)).body['user']);
  return [
    exactlyZero(
      `of ${answers.length} answers about a person who has not accepted, those that contain the name`,
      answers.filter((text) => ownNames.test(text)).length,
    ),
    exactlyZero('users found by a hidden name', Number(total)),
    exactlyZero('visible last sign-ins', user.lastLogin === null ? 0 : 1),
    exactlyZero(
      'people whose default organization changed when they were added',
      (await defaultOrganization()) ? 1 : 0,
    ),
  ];
}

async function checkLeavingByMail(
  { request, sendAnonymously, isMember }: TestScene,
  mail: Mailbox,
): Promise<ProofFinding[]> {
  const message = await Promise.race([
    nextMailContaining('Rival AG', mail),
    pause(mailMsMax, undefined),
  ]);
  let [endedByOpening, endedByDeclining] = [0, 0];
  if (message) {
    const link = linkIn(message);
    await request('GET', link.pathname + link.search);
    if (!(await isMember())) endedByOpening = 1;
    const decline =
      'mutation Decline($token: String!) { declineAddedMembership(input: { token: $token }) { leftOrganizationId } }';
    await sendAnonymously(decline, { token: link.searchParams.get('token') });
    if (!(await isMember())) endedByDeclining = 1;
  }
  return [
    atLeast(1, { figure: 'mails that name the organization', value: message ? 1 : 0, unit: '' }),
    exactlyZero('memberships ended by only opening the link', endedByOpening),
    atLeast(1, {
      figure: 'people who left through the link in the mail',
      value: endedByDeclining,
      unit: '',
    }),
  ];
}

/** The next mail that contains `name`; mails about her password and device are skipped. */
async function nextMailContaining(name: string, mail: Mailbox) {
  for (;;) {
    const message = await mail.next(nora.email);
    if (message.text?.includes(name)) return message;
  }
}

async function checkAfterVisit({
  manage,
  asNora,
  isMember,
  rival,
  defaultOrganization,
}: TestScene): Promise<ProofFinding[]> {
  await manage('POST', '/users/add', { email: nora.email });
  await asNora.graph('{ organization { id } }', {}, { 'x-atrium-organization': rival.id });
  const searchResult = await manage('GET', `/users?search=${nora.lastName}`);
  const movedCount = (await defaultOrganization()) ? 1 : 0;
  await asNora.graph(
    'mutation Leave($id: ID!) { leaveOrganization(input: { organizationId: $id }) { leftOrganizationId } }',
    { id: rival.id },
  );
  return [
    atLeast(1, {
      figure: 'people shown with their names after they visited the workspace',
      value: Number(searchResult.body['total']),
      unit: '',
    }),
    exactlyZero('people whose default organization changed by the visit', movedCount),
    atLeast(1, {
      figure: 'people who left with leaveOrganization',
      value: (await isMember()) ? 0 : 1,
      unit: '',
    }),
  ];
}

async function checkNamesOfOtherOrganization({
  manage,
  manageAsPartner,
}: TestScene): Promise<ProofFinding[]> {
  const email = 'new@people.example';
  await manage('POST', '/users', { email, firstName: 'Secret', lastName: 'Project' });
  const addedUser = await manageAsPartner('POST', '/users/add', { email });
  return [
    exactlyZero(
      'names set by one organization and visible to another',
      /Secret|Project/.test(addedUser.text) ? 1 : 0,
    ),
  ];
}

async function checkProbing({ manage, partner }: TestScene): Promise<ProofFinding[]> {
  const knownEmails = partner.users.map(({ email }) => email);
  const unknownEmails = Array.from(
    { length: probeCount - knownEmails.length },
    (_, index) => `person${index}@elsewhere.example`,
  );
  const answers = await Promise.all(
    [...unknownEmails, ...knownEmails].map((email) => manage('POST', '/users/add', { email })),
  );
  const refused = answers.filter(({ status }) => status === 429);
  const createdUsers = await Promise.all(
    Array.from({ length: 10 }, (_, index) =>
      manage('POST', '/users', { email: `hire${index}@rival.example` }),
    ),
  );
  return [
    atMost(probesAnHourMax, {
      figure: `of ${probeCount} addresses probed at once, those that an answer revealed`,
      value: probeCount - refused.length,
      unit: '',
    }),
    exactlyZero(
      'refusals without Retry-After',
      refused.filter(({ headers }) => !(Number(headers.get('retry-after')) > 0)).length,
    ),
    atLeast(10, {
      figure: 'of 10 new people, those who could still be created afterwards',
      value: createdUsers.filter(({ status }) => status === 200).length,
      unit: '',
    }),
  ];
}
