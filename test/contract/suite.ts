import { randomBytes } from 'node:crypto';
import { Answer } from './answer.ts';
import { type Api, apiWith, createSend, type Send } from './client.ts';
import { checkEveryAnswer, checkRequestIds } from './every-answer.ts';
import type { CredentialName, Credentials } from './options.ts';
import type { AnswerRecording } from './record-answers.ts';
import { type Check, Report, Stopped } from './report.ts';

/** The tools of the checks of an area. */
export type Suite = {
  url: string;
  check: Check;
  report: Report;
  send: Send;
  credentials: Credentials;
  /**
   * The calls with a credential. Without that credential it returns undefined and records
   * `description` as skipped.
   */
  api: (name: CredentialName, description: string) => Api | undefined;
  /** The prefix of the names of everything that the suite creates. It is different in each run. */
  prefix: string;
  disposable: boolean;
  /** Whether files of 150 MB may be sent. */
  large: boolean;
  /** Whether there is no proxy in front of the deployment. */
  direct: boolean;
  /** Registers a cleanup. Cleanups run at the end, newest first. */
  addCleanup: (remove: () => Promise<unknown>) => void;
};

export type AreaCheck = (suite: Suite) => Promise<void>;

type SuiteOptions = {
  url: string;
  credentials: Credentials;
  pace?: number | undefined;
  disposable: boolean;
  large?: boolean;
  direct?: boolean;
  recording?: AnswerRecording | undefined;
  /** Only cleans up after the first failed check with such a title. */
  stopAt?: RegExp;
  note: (line: string) => void;
};

/** Checks the areas one after another and then removes what they created. */
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
    stopAt,
    note,
  }: SuiteOptions,
): Promise<Report> {
  const report = new Report({ stopAt });
  const { check } = report;
  const requestIds: string[] = [];
  let requests = 0;
  const prefix = `contract-${randomBytes(4).toString('hex')}`;
  const sent = new Set<Promise<unknown>>();
  const sendNow = createSend({
    url,
    pace,
    note,
    onResponse(request, answer) {
      requests += 1;
      recording?.add(answer, prefix);
      checkEveryAnswer(check, request, answer, requestIds);
    },
  });
  const send: Send = (...request) => {
    const answer = sendNow(...request);
    sent.add(answer);
    return answer;
  };
  const cleanups: (() => Promise<unknown>)[] = [];
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
    addCleanup: (remove) => void cleanups.unshift(remove),
    api(name, description) {
      const key = credentials[name];
      const reason = key === undefined ? `--${name} is not given` : unusable.get(name);
      if (reason !== undefined) report.skipped.set(description, reason);
      return key === undefined || reason !== undefined ? undefined : apiWith(send, key);
    },
  };
  let unusable: ReadonlyMap<CredentialName, string> = new Map();
  const checkAreas = async () => {
    unusable = await unusableCredentials(credentials, send);
    for (const [name, area] of Object.entries(areas)) {
      const before = { checks: report.count, requests };
      try {
        await area(suite);
      } catch (error) {
        if (error instanceof Stopped) throw error;
        report.fail(`${name}: the checks run to the end`, error);
      }
      note(
        `${name}: ${report.count - before.checks} checks by ${requests - before.requests} requests`,
      );
    }
    checkRequestIds(check, requestIds);
  };
  await checkAreas().catch((error: unknown) => {
    if (!(error instanceof Stopped)) throw error;
    // What was sent at the same time is answered before its server ends.
    return Promise.allSettled(sent);
  });
  for (const remove of cleanups) {
    try {
      for (const answer of [await remove()].flat())
        if (answer instanceof Answer && answer.status !== 200 && answer.status !== 404)
          throw new Error(`${answer.request} answered ${answer.status} ${answer.text}`);
    } catch (error) {
      report.leftBehind.push(
        `could not be removed: ${error instanceof Error ? error.message : String(error)}`,
      );
    }
  }
  return report;
}

/** Throws if a key is rejected. A key of an organization without the feature is skipped. */
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
      throw new Error(`--${name} is rejected by ${path}: ${status} ${text.slice(0, 300)}`);
  }
  return unusable;
}
