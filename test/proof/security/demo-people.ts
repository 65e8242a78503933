import type { Workspace } from '../../../src/modules/demo/make-workspace.ts';
import { run } from '../../support/process.ts';
import { openBrowserSession, type ProofBrowser } from './browser-session.ts';

export type DemoPerson = Workspace['users'][number];

/** Runs a command of Atrium and returns its output. */
export async function runCommand(
  file: string,
  settings: Record<string, string>,
  args: string[],
): Promise<string> {
  const program = run(file, settings, args);
  if ((await program.ended) !== 0) throw new Error(program.stderr());
  return program.stdout();
}

/** Creates the organizations of the demo before the server starts. */
export async function seedOrganizations(settings: Record<string, string>): Promise<Workspace[]> {
  return JSON.parse(await runCommand('src/commands/seed.ts', settings, ['--json'])).organizations;
}

/** Signs a person in with their password, in a new browser. */
export async function signInWith(
  { email, password }: DemoPerson,
  origin: string,
): Promise<ProofBrowser> {
  const browser = openBrowserSession(origin);
  await browser.post('/auth/sign-in/email', { email, password });
  return browser;
}
