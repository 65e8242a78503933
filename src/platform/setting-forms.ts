import { isIP } from 'node:net';
import { z } from 'zod';

export const port = z.coerce.number().int().min(0).max(65535);
export const count = z.coerce.number().int().min(1).max(1_000_000);
export const days = z.coerce.number().int().min(1).max(365);
export const flag = z.enum(['true', 'false']).transform((value) => value === 'true');
const webAddress = { protocol: /^https?$/, error: 'must begin with http:// or https://' };
export const serviceUrl = z
  .url(webAddress)
  .optional()
  .transform((value) => value?.replace(/\/+$/, ''));
/** Pages, cookies and sign-in expect Atrium at the root of its host. */
export const origin = z
  .string()
  .refine(
    isOrigin,
    'must be an address such as https://atrium.example.com, without a path, a query or a user',
  )
  .transform((value) => new URL(value).origin);

/** The address of a server that a user and a password may be part of. */
export const addressWithPassword = (protocol: RegExp, example: string) => {
  const error = `must be an address such as ${example}. In the password special characters are percent-encoded, for example %2F for /`;
  return z.url({ protocol, error, abort: true }).refine(hasPasswordBeforeHost, error);
};

// Behind an unencoded `/`, `?` or `#` a password of digits is read as a port, and the rest of the
// address as its path.
function hasPasswordBeforeHost(text: string): boolean {
  const { username, password, pathname, search, hash } = new URL(text);
  return username !== '' || password !== '' || !(pathname + search + hash).includes('@');
}

function isOrigin(text: string): boolean {
  if (!URL.canParse(text)) return false;
  const url = new URL(text);
  return /^https?:$/.test(url.protocol) && url.href === `${url.origin}/`;
}

export const list = z.string().transform((value) =>
  value
    .split(',')
    .map((item) => item.trim())
    .filter(Boolean),
);

const documentPolicy = z.enum(['allow', 'prefer', 'require']);
const callersByName = {
  session: 'SESSION',
  'user-key': 'USER_KEY',
  'organization-key': 'ORGANIZATION_KEY',
  anonymous: 'ANONYMOUS',
} as const;

/** Whether each kind of caller may send GraphQL documents that are not trusted. */
export type DocumentPolicies = Record<
  (typeof callersByName)[keyof typeof callersByName],
  z.output<typeof documentPolicy>
>;

/** One policy for every caller, or pairs such as `session=require,user-key=prefer`. */
export const documentPolicies = z.string().transform((text, context): DocumentPolicies => {
  const all = documentPolicy.safeParse(text);
  const pairs = all.success
    ? Object.keys(callersByName).map((name) => [name, text])
    : text.split(',').map((pair) => pair.split('=').map((part) => part.trim()));
  const policies = {
    SESSION: 'allow',
    USER_KEY: 'allow',
    ORGANIZATION_KEY: 'allow',
    ANONYMOUS: 'allow',
  } satisfies DocumentPolicies as DocumentPolicies;
  for (const [name = '', value, ...more] of pairs) {
    const policy = documentPolicy.safeParse(value);
    if (!isCallerName(name) || !policy.success || more.length > 0) {
      context.addIssue(
        'must be allow, prefer or require, or pairs like session=require,user-key=prefer of session, user-key, organization-key and anonymous',
      );
      return z.NEVER;
    }
    policies[callersByName[name]] = policy.data;
  }
  return policies;
});

const isCallerName = (name: string): name is keyof typeof callersByName =>
  Object.hasOwn(callersByName, name);

export const address = z.url(webAddress);
const json = z.string().transform((text, context) => {
  try {
    return JSON.parse(text);
  } catch {
    context.addIssue('must be JSON');
    return z.NEVER;
  }
});
export const providers = json.pipe(
  z.record(
    z.string().regex(/^[a-z0-9][a-z0-9-]*$/, 'a name has small letters, digits and hyphens'),
    z.object({ baseUrl: address, apiKey: z.string().optional() }),
  ),
);

const decimal = z
  .string('must be a decimal number in quotes, such as "2.50"')
  .regex(/^\d{1,9}(\.\d{1,9})?$/, 'must be a decimal number such as "2.50"');
/** Prices per million tokens of each model, in one currency. */
export const modelPrices = json.pipe(
  z.strictObject({
    currency: z
      .string('must be the code of a currency, such as EUR')
      .regex(/^[A-Z]{3}$/, 'must be the code of a currency, such as EUR'),
    models: z.record(
      z.string().min(1),
      z.strictObject({ input: decimal, output: decimal, cachedInput: decimal.optional() }),
    ),
  }),
);

/** What models can do, by their names. */
export const modelCapabilities = json.pipe(
  z.record(
    z.string().min(1).max(200),
    z.strictObject({
      contextTokens: z.number().int().min(1).max(2_147_483_647).optional(),
      callsTools: z.boolean().optional(),
      readsImages: z.boolean().optional(),
      reasons: z.boolean().optional(),
      structuresOutput: z.boolean().optional(),
    }),
  ),
);

export function isNetwork(text: string): boolean {
  const [address = '', bits, ...more] = text.split('/');
  const family = isIP(address);
  return (
    family !== 0 &&
    more.length === 0 &&
    (bits === undefined || (/^\d{1,3}$/.test(bits) && Number(bits) <= (family === 6 ? 128 : 32)))
  );
}

const client = z.strictObject({ clientId: z.string().min(1), clientSecret: z.string().min(1) });
export const signInProviders = json.pipe(
  z.strictObject({
    google: client.optional(),
    github: client.optional(),
    // Anybody can create a directory, so the email addresses of an arbitrary directory prove
    // nothing.
    microsoft: client
      .extend({
        tenantId: z
          .string()
          .regex(
            /^(?!(?:common|organizations|consumers)$)[\w.-]+$/,
            'must be the id of one directory',
          ),
      })
      .optional(),
    oidc: client
      .extend({
        issuer: address,
        name: z.string().min(1).max(50),
        trustEmail: z.boolean().default(false),
      })
      .optional(),
  }),
);
