import { randomBytes } from 'node:crypto';
import { Answer } from './answer.ts';
import { type Api, apiWith, createSend, type Send } from './client.ts';
import { checkEveryAnswer, checkRequestIds } from './every-answer.ts';
import type { CredentialName, Credentials } from './options.ts';
import type { AnswerRecording } from './record-answers.ts';
import { type Check, Report } from './report.ts';

/** What each area works with. */
export type Suite = {
  url: string;
  check: Check;
  report: Report;
  send: Send;
  credentials: Credentials;
  /** The calls of a credential, or undefined, which notes that `what` is not checked. */
  api: (name: CredentialName, what: string) => Api | undefined;
  /** Begins the name of everything that the suite makes, and is different in each run. */
  prefix: string;
  disposable: boolean;
  /** Whether files of 150 MB may be sent. */
  large: boolean;
  /** Whether no proxy stands between. */
  direct: boolean;
  /** Removes something at the end, the newest first. */
  later: (remove: () => Promise<unknown>) => void;
};

export type AreaCheck = (suite: Suite) => Promise<void>;

type SuiteParts = {
  url: string;
  credentials: Credentials;
  pace?: number | undefined;
  disposable: boolean;
  large?: boolean;
  direct?: boolean;
  recording?: AnswerRecording | undefined;
  note: (line: string) => void;
};

/** Checks the areas one after another, and removes what they made. */
export async function runSuite(
  areas: Readonly<Record<string, AreaCheck>>,
  {
    url,
    credentials,
    pace,
    disposable,
    large = false,
    direct = false,
    recording,
    note,
  }: SuiteParts,
): Promise<Report> {
  const report = new Report();
  const { check } = report;
  const requestIds: string[] = [];
  let requests = 0;
  const prefix = `contract-${randomBytes(4).toString('hex')}`;
  const send = createSend({
    url,
    pace,
    note,
    observe(sent, answer) {
      requests += 1;
      recording?.add(answer, prefix);
      checkEveryAnswer(check, sent, answer, requestIds);
    },
  });
  const removals: (() => Promise<unknown>)[] = [];
  const suite: Suite = {
    url,
    check,
    report,
    send,
    credentials,
    prefix,
    disposable,
    large,
    direct,
    later: (remove) => void removals.unshift(remove),
    api(name, what) {
      const key = credentials[name];
      const why = key === undefined ? `--${name} is not given` : unusable.get(name);
      if (why !== undefined) report.leftOut.set(what, why);
      return key === undefined || why !== undefined ? undefined : apiWith(send, key);
    },
  };
  const unusable = await unusableCredentials(credentials, send);
  for (const [name, area] of Object.entries(areas)) {
    const before = { checks: report.count, requests };
    try {
      await area(suite);
    } catch (error) {
      report.fail(`${name}: the area is checked to its end`, error);
    }
    note(
      `${name}: ${report.count - before.checks} checks by ${requests - before.requests} requests`,
    );
  }
  checkRequestIds(check, requestIds);
  for (const remove of removals) {
    try {
      for (const answer of [await remove()].flat())
        if (answer instanceof Answer && answer.status !== 200 && answer.status !== 404)
          throw new Error(`${answer.request} answered ${answer.status} ${answer.text}`);
    } catch (error) {
      report.remains.push(
        `could not be removed: ${error instanceof Error ? error.message : String(error)}`,
      );
    }
  }
  return report;
}

/** Keys that open nothing end the run; those of organizations without the feature are left out. */
async function unusableCredentials(
  credentials: Credentials,
  send: Send,
): Promise<ReadonlyMap<CredentialName, string>> {
  const unusable = new Map<CredentialName, string>();
  for (const [name, path, feature] of [
    ['org-key', '/api/user-management/v1/teams', 'User Management'],
    ['sponsor-key', '/api/sponsorship/v1/campaigns?pageSize=1', 'Partner Sponsorship'],
    ['user-key', '/api/assistants/v1', 'Assistants'],
  ] as const) {
    const key = credentials[name];
    if (key === undefined) continue;
    const { status, text } = await send('GET', path, { key });
    if (status === 403)
      unusable.set(name, `the organization of --${name} does not have ${feature}`);
    else if (status !== 200)
      throw new Error(`--${name} does not open ${path}: ${status} ${text.slice(0, 300)}`);
  }
  return unusable;
}
