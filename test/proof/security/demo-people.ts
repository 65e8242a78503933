import type { Workspace } from '../../../src/modules/demo/make-workspace.ts';
import { run } from '../../support/process.ts';
import { browserAt, type ProofBrowser } from './browser-at.ts';

export type Person = Workspace['users'][number];

/** Runs a command of Atrium to its end. Answers what it printed. */
export async function outputOf(
  file: string,
  settings: Record<string, string>,
  args: string[],
): Promise<string> {
  const program = run(file, settings, args);
  if ((await program.ended) !== 0) throw new Error(program.stderr());
  return program.stdout();
}

/** The demo's organizations, before the server starts. */
export async function seedOrganizations(settings: Record<string, string>): Promise<Workspace[]> {
  return JSON.parse(await outputOf('src/seed.ts', settings, ['--json'])).organizations;
}

/** A new browser in which a person has typed their password. */
export async function signInWith(
  { email, password }: Person,
  origin: string,
): Promise<ProofBrowser> {
  const browser = browserAt(origin);
  await browser.post('/auth/sign-in/email', { email, password });
  return browser;
}
