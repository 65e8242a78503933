import { setTimeout as pause } from 'node:timers/promises';
import { receiveMail } from '../../support/mail.ts';
import { start, temporaryDirectory } from '../../support/process.ts';
import { exactlyZero, type Proof } from '../proof.ts';

const mailSeconds = 5;
const createKey =
  'mutation { created: createOrganizationKey(input: { name: "a program" }) { key } }';
const setRole =
  'mutation ($userId: ID!, $role: Role!) { setUserRole(input: { userId: $userId, role: $role }) { user { id } } }';

export const proof: Proof = {
  claim:
    'An organization key stops working when its creator is no longer an administrator, and its owner gets a mail when a key is created',
  async measure() {
    const mail = await receiveMail();
    const data = temporaryDirectory();
    const program = await start({ DATA_DIR: data.path, ...mail.settings });
    try {
      const [ada, emil] = ['ada', 'emil'].map((name) => ({
        email: `${name}@demo.example`,
        password:
          new RegExp(`${name}@demo\\.example\\s+password (\\S+)`).exec(program.output())?.[1] ?? '',
      }));
      const [administrator, secondAdministrator] = [
        await signIn(program.address, ada),
        await signIn(program.address, emil),
      ];
      const userId = (
        await secondAdministrator.graph<{ viewer: { person: { id: string } } }>(
          '{ viewer { person { id } } }',
        )
      ).viewer.person.id;
      await administrator.graph(setRole, { userId, role: 'ADMIN' });
      const { created } = await secondAdministrator.graph<{ created: { key: string } }>(createKey);
      const asAdministrator = await statusWith(program.address, created.key);
      await administrator.graph(setRole, { userId, role: 'MEMBER' });
      const asMember = await statusWith(program.address, created.key);
      await administrator.graph(
        'mutation ($userId: ID!) { removeUser(input: { userId: $userId }) { removedUserId } }',
        { userId },
      );
      const afterRemoval = await statusWith(program.address, created.key);
      const isNotice = ({ subject = '' }) =>
        ['A new API key was created', 'Your role was changed'].includes(subject);
      for (
        let waitedSeconds = 0;
        waitedSeconds < mailSeconds && mail.mails.filter(isNotice).length < 3;
        waitedSeconds += 0.1
      )
        await pause(100);
      const notices = mail.mails.filter(isNotice);
      return [
        exactlyZero('keys of an administrator that are refused', asAdministrator === 200 ? 0 : 1),
        exactlyZero(
          'keys that work after their creator became a plain member',
          asMember === 401 ? 0 : 1,
        ),
        exactlyZero('keys that work after their creator was removed', afterRemoval === 401 ? 0 : 1),
        exactlyZero(
          'missing mails, of three about a new key and two changes of role',
          3 - notices.length,
        ),
      ];
    } finally {
      program.process.kill('SIGTERM');
      await program.ended;
      data.remove();
      await mail.close();
    }
  },
};

type SignInCredentials = { email: string; password: string };

async function signIn(address: string, credentials: SignInCredentials | undefined) {
  const headers = { 'content-type': 'application/json', origin: address };
  const answer = await fetch(`${address}/auth/sign-in/email`, {
    method: 'POST',
    headers,
    body: JSON.stringify(credentials),
  });
  const cookie = answer.headers
    .getSetCookie()
    .map((line) => line.split(';')[0])
    .join('; ');
  return {
    async graph<GraphData>(
      query: string,
      variables: Record<string, unknown> = {},
    ): Promise<GraphData> {
      const response = await fetch(`${address}/graphql`, {
        method: 'POST',
        headers: { ...headers, cookie },
        body: JSON.stringify({ query, variables }),
      });
      const { data, errors } = (await response.json()) as {
        data: GraphData;
        errors?: { message: string }[];
      };
      if (errors) throw new Error(errors.map(({ message }) => message).join(', '));
      return data;
    },
  };
}

const statusWith = async (address: string, key: string): Promise<number> =>
  (
    await fetch(`${address}/api/user-management/v1/teams`, {
      headers: { authorization: `Bearer ${key}` },
    })
  ).status;
