import { setTimeout as pause } from 'node:timers/promises';
import { receiveMail } from '../../support/mail.ts';
import { start, temporaryDirectory } from '../../support/process.ts';
import { none, type Proof } from '../proof.ts';

const mailSeconds = 5;
const createKey = 'mutation { made: createOrganizationKey(name: "a program") { key } }';
const setRole =
  'mutation ($userId: ResourceId!, $role: Role!) { setUserRole(userId: $userId, role: $role) { id } }';

export const proof: Proof = {
  claim:
    'An organization key ends with the administrator who made it, and its owner gets a mail when a key is made',
  async attempt() {
    const mail = await receiveMail();
    const data = temporaryDirectory();
    const program = await start({ DATA_DIR: data.path, ...mail.settings });
    try {
      const [ada, emil] = ['ada', 'emil'].map((name) => ({
        email: `${name}@demo.example`,
        password:
          new RegExp(`${name}@demo\\.example\\s+password (\\S+)`).exec(program.output())?.[1] ?? '',
      }));
      const [administrator, leaving] = [
        await signedIn(program.address, ada),
        await signedIn(program.address, emil),
      ];
      const userId = (
        await leaving.graph<{ viewer: { person: { id: string } } }>('{ viewer { person { id } } }')
      ).viewer.person.id;
      await administrator.graph(setRole, { userId, role: 'ADMIN' });
      const { made } = await leaving.graph<{ made: { key: string } }>(createKey);
      const before = await statusWith(program.address, made.key);
      await administrator.graph(setRole, { userId, role: 'MEMBER' });
      const asMember = await statusWith(program.address, made.key);
      await administrator.graph(
        'mutation ($userId: ResourceId!) { removeUser(userId: $userId) { userId } }',
        { userId },
      );
      const afterwards = await statusWith(program.address, made.key);
      const isNotice = ({ subject = '' }) =>
        ['A new API key was created', 'Your role was changed'].includes(subject);
      for (
        let waited = 0;
        waited < mailSeconds && mail.mails.filter(isNotice).length < 3;
        waited += 0.1
      )
        await pause(100);
      const notices = mail.mails.filter(isNotice);
      return [
        none('keys of an administrator that do not work', before === 200 ? 0 : 1),
        none('keys that work when their maker is a member', asMember === 401 ? 0 : 1),
        none('keys that work when their maker is removed', afterwards === 401 ? 0 : 1),
        none('mails missing, of three about a key and two changes of a role', 3 - notices.length),
      ];
    } finally {
      program.process.kill('SIGTERM');
      await program.ended;
      data.remove();
      await mail.close();
    }
  },
};

type Credentials = { email: string; password: string };

async function signedIn(address: string, credentials: Credentials | undefined) {
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
    async graph<Data>(query: string, variables: Record<string, unknown> = {}): Promise<Data> {
      const answered = await fetch(`${address}/graphql`, {
        method: 'POST',
        headers: { ...headers, cookie },
        body: JSON.stringify({ query, variables }),
      });
      const { data, errors } = (await answered.json()) as {
        data: Data;
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
