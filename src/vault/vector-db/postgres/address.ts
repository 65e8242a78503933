import { z } from 'zod';

const defaultSchema = 'atrium_vectors';

/** Where a vector database in Postgres is: the connection, and the schema that has its tables. */
export type PostgresAddress = { connectionString: string; schema: string };

export const isPostgres = (location: string): boolean => /^postgres(?:ql)?:\/\//i.test(location);

/** Whether the address of a Postgres has a password, also if a part of the address is missing. */
export const hasPassword = (location: string): boolean =>
  isPostgres(location) &&
  (/^[a-z]+:\/\/[^/?#]*:[^/?#@]+@/i.test(location) || /[?&]password=[^&]/i.test(location));

const schemaName = z
  .string()
  .regex(
    /^[a-z_][a-z0-9_]{0,62}$/,
    'must be 1 to 63 small letters, digits or underscores, and not begin with a digit',
  )
  .refine((name) => !name.startsWith('pg_'), 'must not begin with pg_, which Postgres reserves')
  .refine(
    (name) => name !== 'public' && name !== 'information_schema',
    'must be a schema that nothing else uses',
  );
const storageOptions = z.strictObject({
  schema: schemaName.default(defaultSchema),
  password: z.string().min(1).optional(),
});

/** The faults of a location in Postgres and of its options. They contain no value. */
export function postgresFaults(location: string, options: Record<string, unknown>): string[] {
  const faults: string[] = [];
  const url = URL.parse(location);
  if (!url?.hostname)
    faults.push('location: must be an address such as postgres://user@host:5432/database');
  if (url?.password && options['password'] !== undefined)
    faults.push('storage_options.password: the location has a password already');
  for (const issue of storageOptions.safeParse(options).error?.issues ?? [])
    faults.push(
      ...(issue.code === 'unrecognized_keys'
        ? issue.keys.map((key) => `storage_options.${key}: means nothing to Postgres`)
        : [`storage_options.${issue.path.join('.')}: ${issue.message}`]),
    );
  return faults;
}

export function readPostgresAddress(
  location: string,
  options: Record<string, string>,
): PostgresAddress {
  const faults = postgresFaults(location, options);
  if (faults.length > 0) throw new Error(`The vector database in Postgres: ${faults.join('; ')}`);
  const { schema, password } = storageOptions.parse(options);
  const url = new URL(location);
  if (password !== undefined) url.password = encodeURIComponent(password);
  return { connectionString: url.href, schema };
}
