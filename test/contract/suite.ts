import { randomBytes } from 'node:crypto';
import { type Api, apiWith, createSend, type Send } from './client.ts';
import { checkEveryAnswer, checkRequestIds } from './every-answer.ts';
import type { CredentialName, Credentials } from './options.ts';
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
  note: (line: string) => void;
};

/** Checks the areas one after another, and removes what they made. */
export async function runSuite(
  areas: Readonly<Record<string, AreaCheck>>,
  { url, credentials, pace, disposable, large = false, direct = false, note }: SuiteParts,
): Promise<Report> {
  const report = new Report();
  const { check } = report;
  const requestIds: string[] = [];
  const send = createSend({ url, pace, note, observe: (sent, answer) => checkEveryAnswer(check, sent, answer, requestIds) });
  const removals: (() => Promise<unknown>)[] = [];
  const suite: Suite = {
    url,
    check,
    report,
    send,
    credentials,
    prefix: `contract-${randomBytes(4).toString('hex')}`,
    disposable,
    large,
    direct,
    later: (remove) => void removals.unshift(remove),
    api(name, what) {
      const key = credentials[name];
      if (key === undefined) report.leftOut.set(what, `--${name} is not given`);
      return key === undefined ? undefined : apiWith(send, key);
    },
  };
  for (const [name, area] of Object.entries(areas)) {
    const before = report.count;
    try {
      await area(suite);
    } catch (error) {
      report.fail(`${name}: the area is checked to its end`, error);
    }
    note(`${name}: ${report.count - before} checks`);
  }
  checkRequestIds(check, requestIds);
  for (const remove of removals) {
    try {
      await remove();
    } catch (error) {
      report.remains.push(`could not be removed: ${error instanceof Error ? error.message : String(error)}`);
    }
  }
  return report;
}
