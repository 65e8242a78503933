import { parseArgs } from 'node:util';

/**
 * Flags that name a credential; each can stand in the environment as CONTRACT_ORG_KEY and so on.
 */
export const credentialFlags = {
  'org-key':
    'organization key: User Management, and Partner Sponsorship where --sponsor-key is absent',
  'user-key':
    'user key of a person who may create assistants: Assistants, Assistant Files, the OpenAI door',
  'sponsor-key': 'organization key of a partner with both sponsorship features',
  'member-key':
    'user key of another member of the same organization, who is not an administrator: permissions on assistants',
  'other-org-key':
    'organization key of a second organization: checks that tenants do not see each other',
  'other-user-key': 'user key in that second organization',
  'plain-org-key': 'organization key of an organization without any feature: 403',
  'plain-user-key': 'user key in that organization',
  'full-org-key': 'organization key of an organization at its seat cap',
  'limited-key': 'organization key with a limit of at most 20 requests a minute: 429',
  'expired-key': 'an expired key of either kind',
  'revoked-key': 'a revoked key of either kind',
  'person-email':
    'address of an administrator of the organization who signs in with a password alone: the life of keys',
  'person-password': 'the password of that person',
  'removable-key': 'user key of a member who may be removed from the organization',
  'vault-url': 'address of the vault',
  'vault-secret': 'secret of the vault',
  'vector-db-url': 'address of the vector database',
} as const;

export type CredentialName = keyof typeof credentialFlags;
export type Credentials = Readonly<Partial<Record<CredentialName, string>>>;

export type Options = {
  /** Absent: the suite starts a server of its own. */
  url: string | undefined;
  credentials: Credentials;
  pace: number | undefined;
  /** Whether checks may change redemptions, and try what would do harm on a faulty deployment. */
  disposable: boolean;
  large: boolean;
  direct: boolean;
  only: readonly string[];
  lists: boolean;
  /** A file for all answers, with identifiers and times replaced. */
  record: string | undefined;
};

const strings = (names: readonly string[]) =>
  Object.fromEntries(names.map((name) => [name, { type: 'string' as const }]));

export const usage = `npm run contract -- [--url https://…] [flags]

  --url             address of the deployment; absent: a server of its own is started and checked
${Object.entries(credentialFlags)
  .map(([flag, meaning]) => `  --${flag.padEnd(15)} ${meaning}`)
  .join('\n')}
  --pace            requests a minute for each key; absent: as fast as its limit allows
  --disposable      the organizations can be thrown away: also change redemptions, and try to remove administrators and default teams
  --large           also send a file of exactly 150 MB, and one that is larger
  --direct          no proxy stands between: also send what is malformed below HTTP
  --only            areas to check, separated by commas
  --list            print the title of each check
  --record          write every answer to this file, with identifiers and times replaced, so that two versions can be compared by diff

Each credential can also stand in the environment, such as CONTRACT_ORG_KEY for --org-key.`;

export function readOptions(
  args: readonly string[],
  environment: Readonly<Record<string, string | undefined>>,
): Options {
  const { values } = parseArgs({
    args: [...args],
    options: {
      ...strings(['url', 'pace', 'only', 'record', ...Object.keys(credentialFlags)]),
      disposable: { type: 'boolean', default: false },
      large: { type: 'boolean', default: false },
      direct: { type: 'boolean', default: false },
      list: { type: 'boolean', default: false },
    },
  });
  const given: Record<string, unknown> = values;
  const textOf = (name: string): string | undefined => {
    const value = given[name] ?? environment[`CONTRACT_${name.toUpperCase().replaceAll('-', '_')}`];
    return typeof value === 'string' && value !== '' ? value : undefined;
  };
  const credentials = Object.fromEntries(
    Object.keys(credentialFlags).flatMap((name) =>
      textOf(name) === undefined ? [] : [[name, textOf(name)]],
    ),
  );
  const pace = textOf('pace');
  if (pace !== undefined && !(Number(pace) > 0)) throw new Error('--pace must be a number above 0');
  return {
    url: textOf('url')?.replace(/\/+$/, ''),
    credentials,
    pace: pace === undefined ? undefined : Number(pace),
    disposable: given['disposable'] === true,
    large: given['large'] === true,
    direct: given['direct'] === true,
    only: textOf('only')?.split(',') ?? [],
    lists: given['list'] === true,
    record: textOf('record'),
  };
}
