import { parseArgs } from 'node:util';

/**
 * Flags for credentials. Each can also be set in the environment, for example as CONTRACT_ORG_KEY.
 */
export const credentialFlags = {
  'org-key':
    'organization key: User Management, and Partner Sponsorship if --sponsor-key is not set',
  'user-key':
    'user key of a person who may create assistants: Assistants, Assistant Files, the OpenAI API',
  'sponsor-key': 'organization key of a partner with both sponsorship features',
  'member-key':
    'user key of another member of the organization without administrator rights: permissions on assistants',
  'other-org-key': 'organization key of a second organization: checks the isolation of tenants',
  'other-user-key': 'user key in that second organization',
  'plain-org-key': 'organization key of an organization without any feature: 403',
  'plain-user-key': 'user key in that organization',
  'full-org-key': 'organization key of an organization at its seat cap',
  'limited-key': 'organization key with a limit of at most 20 requests a minute: 429',
  'expired-key': 'an expired key of either kind',
  'revoked-key': 'a revoked key of either kind',
  'person-email':
    'e-mail address of an administrator of the organization who signs in with only a password: creation and revocation of keys',
  'person-password': 'the password of that person',
  'removable-key': 'user key of a member who may be removed from the organization',
  'vault-url': 'address of the vault',
  'vault-secret': 'secret of the vault',
  'vector-db-url': 'address of the vector database',
} as const;

export type CredentialName = keyof typeof credentialFlags;
export type Credentials = Readonly<Partial<Record<CredentialName, string>>>;

export type ContractOptions = {
  /** Undefined: the suite starts its own server. */
  url: string | undefined;
  credentials: Credentials;
  pace: number | undefined;
  /**
   * Whether checks may change redemptions and try actions that would do harm on a faulty
   * deployment.
   */
  disposable: boolean;
  large: boolean;
  direct: boolean;
  only: readonly string[];
  printTitles: boolean;
  /** A file for all responses, with identifiers and times replaced. */
  record: string | undefined;
};

const strings = (names: readonly string[]) =>
  Object.fromEntries(names.map((name) => [name, { type: 'string' as const }]));

export const usage = `npm run contract -- [--url https://…] [flags]

  --url             address of the deployment; without it the suite starts and checks its own server
${Object.entries(credentialFlags)
  .map(([flag, meaning]) => `  --${flag.padEnd(15)} ${meaning}`)
  .join('\n')}
  --pace            requests per minute for each key; without it as fast as the limit allows
  --disposable      the organizations are disposable: also change redemptions and try to remove administrators and default teams
  --large           also send a file of exactly 150 MB and a larger one
  --direct          there is no proxy in front: also send requests that are malformed at the HTTP level
  --only            areas to check, separated by commas
  --list            print the title of each check
  --record          write every response to this file, with identifiers and times replaced, so that diff can compare two versions

Each credential can also be set in the environment, for example CONTRACT_ORG_KEY for --org-key.`;

export function readOptions(
  args: readonly string[],
  environment: Readonly<Record<string, string | undefined>>,
): ContractOptions {
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
  const flagValues: Record<string, unknown> = values;
  const textOf = (name: string): string | undefined => {
    const value =
      flagValues[name] ?? environment[`CONTRACT_${name.toUpperCase().replaceAll('-', '_')}`];
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
    disposable: flagValues['disposable'] === true,
    large: flagValues['large'] === true,
    direct: flagValues['direct'] === true,
    only: textOf('only')?.split(',') ?? [],
    printTitles: flagValues['list'] === true,
    record: textOf('record'),
  };
}
