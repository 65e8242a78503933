import { fileURLToPath } from 'node:url';
import { atMost, type Goal } from '../../bench/goals.ts';
import { none } from '../proof.ts';
import { type Ask, curlOf, type Got, hangMs, type Lost } from './send.ts';
import type { Target } from './target.ts';

const root = fileURLToPath(new URL('../../../', import.meta.url));

/** What stands in an answer only where something was told that is ours alone. */
const inside =
  /node_modules|\.[cm]?[tj]s:\d+|\n\s+at \S|file:\/\/\/|prisma|\bP20\d\d\b|\bpg_|SQLSTATE|syntax error at or near|violates [a-z- ]+ constraint|relation "|column "|[a-z]_[pf]key\b|\bselect\b.+\bfrom\b|\binsert into\b|\b(EACCES|ENOENT|ECONN\w+|EPIPE|ERR_[A-Z_]+)\b|\b(Type|Range|Reference|Syntax)Error\b|Cannot read propert|is not a function|undefined is not|lancedb|\.lance\b/i;

const kinds = [
  'answers of 5xx',
  'answers that took more than 5 s',
  'answers that tell of SQL, code or paths',
  'requests without an answer',
  'answers that the contract does not know',
] as const;
type Kind = (typeof kinds)[number];

/** The first word of an answer that nobody outside should read. */
export function tellsOfInside(
  text: string,
  { dataDirectory }: Pick<Target, 'dataDirectory'>,
): string | undefined {
  return inside.exec(text)?.[0] ?? [root, dataDirectory].find((path) => text.includes(path));
}

const shownMax = 12;

/** Collects what is wrong with answers, and says how each was asked for. */
export function createJudge({
  target,
  seed,
  say,
}: {
  target: Pick<Target, 'dataDirectory'>;
  seed: number;
  say: (line: string) => void;
}) {
  const counts = new Map<Kind, number>(kinds.map((kind) => [kind, 0]));
  const fault = (kind: Kind, index: number, detail: string, curl: string) => {
    const count = (counts.get(kind) ?? 0) + 1;
    counts.set(kind, count);
    if (count <= shownMax)
      say(`${kind}: ${detail}\n          seed ${seed}, number ${index}: ${curl}`);
  };
  return {
    /** `contractFaults` are told by whoever knows the contract of this door. */
    look(
      index: number,
      origin: string,
      ask: Ask,
      got: Got | Lost,
      contractFaults: readonly string[],
      tellsFile = false,
    ): void {
      const curl = curlOf(origin, ask);
      if (got.ms > hangMs)
        fault('answers that took more than 5 s', index, `${Math.round(got.ms)} ms`, curl);
      if ('lost' in got) {
        fault('requests without an answer', index, got.lost, curl);
        return;
      }
      const text = got.body.toString();
      const told = tellsFile ? undefined : tellsOfInside(text, target);
      if (got.status >= 500)
        fault('answers of 5xx', index, `${got.status} ${text.slice(0, 300)}`, curl);
      if (told !== undefined)
        fault(
          'answers that tell of SQL, code or paths',
          index,
          `“${told}” in ${text.slice(0, 300)}`,
          curl,
        );
      if (contractFaults.length > 0)
        fault(
          'answers that the contract does not know',
          index,
          `${got.status}: ${contractFaults.slice(0, 3).join('; ')} ${text.slice(0, 200)}`,
          curl,
        );
    },
    goals: (): Goal[] => [...counts].map(([kind, count]) => none(kind, count)),
  };
}

/**
 * What the program itself has to say at the end: it lives, it knew every fault, and it holds on to
 * nothing.
 */
export async function goalsOfProcess(
  target: Target,
  heapBefore: number,
  say: (line: string) => void,
): Promise<Goal[]> {
  const lines = target.output().split('\n');
  const bad = lines.filter(
    (line) =>
      /"level":(50|60|"error"|"fatal")/.test(line) ||
      /unhandled|uncaught/i.test(line) ||
      /^\s+at .+:\d+:\d+\)?$/.test(line),
  );
  if (!target.isAlive()) say(`the process ended: ${lines.slice(-20).join('\n')}`);
  for (const line of bad.slice(0, shownMax)) say(`log: ${line.slice(0, 1_500)}`);
  const heapAfter = target.isAlive() ? await target.heapBytes() : 0;
  const mebibytes = (bytes: number) => bytes / 2 ** 20;
  return [
    none('errors and unhandled rejections in the log', bad.length),
    none('processes that ended', target.isAlive() ? 0 : 1),
    atMost(Math.ceil(mebibytes(heapBefore) * 1.2 + 20), {
      figure: `heap after a collection, ${Math.round(mebibytes(heapBefore))} MiB when it was warm`,
      value: mebibytes(heapAfter),
      unit: 'MiB',
    }),
  ];
}
