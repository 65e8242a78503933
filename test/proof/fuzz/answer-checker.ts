import { fileURLToPath } from 'node:url';
import { atMost, type Goal } from '../../bench/goals.ts';
import { exactlyZero } from '../proof.ts';
import { curlOf, type HttpAnswer, type HttpRequest, hangMs, type NoAnswer } from './send.ts';
import type { FuzzTarget } from './target.ts';

const root = fileURLToPath(new URL('../../../', import.meta.url));

/** Fragments of SQL, stack traces, paths and library names, which no answer may contain. */
const internalDetails =
  /node_modules|\.[cm]?[tj]s:\d+|\n\s+at \S|file:\/\/\/|prisma|\bP20\d\d\b|\bpg_|SQLSTATE|syntax error at or near|violates [a-z- ]+ constraint|relation "|column "|[a-z]_[pf]key\b|\bselect\b.+\bfrom\b|\binsert into\b|\b(EACCES|ENOENT|ECONN\w+|EPIPE|ERR_[A-Z_]+)\b|\b(Type|Range|Reference|Syntax)Error\b|Cannot read propert|is not a function|undefined is not|lancedb|\.lance\b/i;

const faultKinds = [
  'answers of 5xx',
  'slow answers',
  'answers with SQL, code or paths',
  'requests without an answer',
  'answers that the contract does not allow',
] as const;
type FaultKind = (typeof faultKinds)[number];

/** The first internal detail in an answer; undefined when there is none. */
export function findInternalDetail(
  text: string,
  { dataDirectory }: Pick<FuzzTarget, 'dataDirectory'>,
): string | undefined {
  return (
    internalDetails.exec(text)?.[0] ?? [root, dataDirectory].find((path) => text.includes(path))
  );
}

const loggedMax = 12;

/** Counts faults of answers, and logs a curl command that repeats each request. */
export function createAnswerChecker({
  target,
  seed,
  log,
  slowMs = hangMs,
}: {
  target: Pick<FuzzTarget, 'dataDirectory'>;
  seed: number;
  log: (line: string) => void;
  slowMs?: number;
}) {
  const counts = new Map<FaultKind, number>(faultKinds.map((kind) => [kind, 0]));
  const fault = (kind: FaultKind, index: number, detail: string, curl: string) => {
    const count = (counts.get(kind) ?? 0) + 1;
    counts.set(kind, count);
    if (count <= loggedMax)
      log(`${kind}: ${detail}\n          seed ${seed}, number ${index}: ${curl}`);
  };
  return {
    /** `contractFaults` come from the caller, which knows the contract of the API. */
    check(
      index: number,
      origin: string,
      request: HttpRequest,
      answer: HttpAnswer | NoAnswer,
      contractFaults: readonly string[],
      isFileContent = false,
    ): void {
      const curl = curlOf(origin, request);
      if (answer.ms > slowMs) fault('slow answers', index, `${Math.round(answer.ms)} ms`, curl);
      if ('failure' in answer) {
        fault('requests without an answer', index, answer.failure, curl);
        return;
      }
      const text = answer.body.toString();
      const detail = isFileContent ? undefined : findInternalDetail(text, target);
      if (answer.status >= 500)
        fault('answers of 5xx', index, `${answer.status} ${text.slice(0, 300)}`, curl);
      if (detail !== undefined)
        fault(
          'answers with SQL, code or paths',
          index,
          `“${detail}” in ${text.slice(0, 300)}`,
          curl,
        );
      if (contractFaults.length > 0)
        fault(
          'answers that the contract does not allow',
          index,
          `${answer.status}: ${contractFaults.slice(0, 3).join('; ')} ${text.slice(0, 200)}`,
          curl,
        );
    },
    goals: (): Goal[] =>
      [...counts].map(([kind, count]) =>
        exactlyZero(
          kind === 'slow answers'
            ? `answers that took more than ${Math.round(slowMs / 1000)} s`
            : kind,
          count,
        ),
      ),
  };
}

/**
 * The goals for the process at the end: it runs, logged no unexpected error, and its heap has not
 * grown.
 */
export async function processGoals(
  target: FuzzTarget,
  heapBefore: number,
  log: (line: string) => void,
): Promise<Goal[]> {
  const lines = target.output().split('\n');
  const badLines = lines.filter(
    (line) =>
      /"level":(50|60|"error"|"fatal")/.test(line) ||
      /unhandled|uncaught/i.test(line) ||
      /^\s+at .+:\d+:\d+\)?$/.test(line),
  );
  if (!target.isAlive()) log(`the process exited: ${lines.slice(-20).join('\n')}`);
  for (const line of badLines.slice(0, loggedMax)) log(`log: ${line.slice(0, 1_500)}`);
  const heapAfter = target.isAlive() ? await target.heapBytes() : 0;
  const mebibytes = (bytes: number) => bytes / 2 ** 20;
  return [
    exactlyZero('errors and unhandled rejections in the log', badLines.length),
    exactlyZero('processes that exited', target.isAlive() ? 0 : 1),
    atMost(Math.ceil(mebibytes(heapBefore) * 1.2 + 20), {
      figure: `heap after garbage collection, ${Math.round(mebibytes(heapBefore))} MiB after the warm-up`,
      value: mebibytes(heapAfter),
      unit: 'MiB',
    }),
  ];
}
