import type { z } from 'zod';
import { misspelledSettings, settingErrors } from './setting-faults.ts';
import { settings } from './settings.ts';

export type Env = Readonly<Omit<z.output<typeof settings>, 'EMAIL_VERIFICATION'>> & {
  readonly GRAPHIQL: boolean;
  readonly INTROSPECTION: boolean;
  readonly EMAIL_VERIFICATION: 'off' | 'required';
};

/** The environment, for the values that the vault's configuration file refers to by name. */
export const environment: Readonly<Record<string, string | undefined>> = process.env;

/**
 * Defaults for a library that is configured only by environment variables. Existing variables take
 * precedence.
 */
export function presetEnvironment(values: Readonly<Record<string, string>>): void {
  for (const [name, value] of Object.entries(values)) process.env[name] ??= value;
}

/** For a library that reads environment variables which have another meaning in our settings. */
export function overrideEnvironment(values: Readonly<Record<string, string>>): void {
  Object.assign(process.env, values);
}

/**
 * Reads the settings from the environment, or throws one error that lists every problem. An empty
 * value counts as absent.
 */
export function readEnv(source: Record<string, string | undefined> = environment): Env {
  const input = Object.fromEntries(
    Object.keys(settings.shape).map((name) => [name, source[name] || undefined]),
  );
  const parsed = settings.safeParse(input, { error: settingErrors });
  if (!parsed.success)
    throw new Error(
      faultsIn(parsed.error.issues.map(({ path, message }) => `${path.join('.')}: ${message}`)),
    );
  const conflicts = conflictsBetween(parsed.data);
  if (conflicts.length > 0) throw new Error(faultsIn(conflicts));
  const open = parsed.data.NODE_ENV !== 'production';
  const {
    GRAPHIQL = open,
    INTROSPECTION = open,
    EMAIL_VERIFICATION = open ? 'off' : 'required',
  } = parsed.data;
  return { ...parsed.data, GRAPHIQL, INTROSPECTION, EMAIL_VERIFICATION };
}

/** Variables of the environment that are probably meant as settings, with the names of those. */
export const misspelledVariables = (source = environment): { name: string; meant: string }[] =>
  misspelledSettings(
    Object.keys(source).filter((name) => source[name]),
    Object.keys(settings.shape),
  );

const faultsIn = (faults: string[]) =>
  `These settings are wrong:\n${faults.map((fault) => `  ${fault}`).join('\n')}`;

/** Settings that are valid one by one but not in combination. */
function conflictsBetween(input: z.output<typeof settings>): string[] {
  const {
    NODE_ENV,
    DATABASE_URL,
    DATA_DIR,
    WORKERS,
    ORIGIN,
    SMTP_URL,
    MAIL_FROM,
    EMAIL_VERIFICATION,
    SIGN_IN_PROVIDERS,
  } = input;
  const isProvable =
    SMTP_URL !== undefined ||
    Object.keys(SIGN_IN_PROVIDERS ?? {}).length > 0 ||
    NODE_ENV === 'development';
  return [
    ...(WORKERS > 1 && DATABASE_URL === undefined
      ? ['WORKERS: more than 1 needs DATABASE_URL, for the embedded database serves one process']
      : []),
    ...(WORKERS > 1 && DATA_DIR === ':memory:'
      ? ['WORKERS: more than 1 needs a directory as DATA_DIR, which they share']
      : []),
    ...(SMTP_URL !== undefined && MAIL_FROM === undefined
      ? ['MAIL_FROM: must be set where SMTP_URL is']
      : []),
    ...(EMAIL_VERIFICATION === 'required' && !isProvable
      ? ['EMAIL_VERIFICATION: required needs SMTP_URL or SIGN_IN_PROVIDERS, which prove addresses']
      : []),
    ...(SIGN_IN_PROVIDERS !== undefined && ORIGIN === undefined
      ? ['SIGN_IN_PROVIDERS: needs ORIGIN, where the other sites send people back to']
      : []),
  ];
}
