import { cpus, totalmem } from 'node:os';
import type { AnswerFigures } from './answers.ts';
import type { ComparisonFigures } from './compare-servers.ts';
import type { Goal } from './goals.ts';
import type { KeysetFigures } from './keyset.ts';
import { generator } from './load.ts';
import type { ScaleFigures } from './scale.ts';
import type { SponsorshipFigures } from './sponsorship.ts';
import type { EmbeddedFigures, StartFigures } from './start-up.ts';
import type { UploadFigures } from './uploads.ts';
import type { VaultFigures } from './vault.ts';
import type { PdfDefects } from './vault-pdf.ts';

export type MachineInfo = ReturnType<typeof describeMachine>;
export type BenchFigures = {
  machine: MachineInfo;
  seed: number;
  reads?: ComparisonFigures[];
  writes?: ComparisonFigures[];
  graphql?: ComparisonFigures[];
  scale?: ScaleFigures[];
  keyset?: KeysetFigures[];
  sponsorship?: SponsorshipFigures[];
  uploads?: UploadFigures;
  starts?: StartFigures;
  embedded?: EmbeddedFigures;
  vault?: VaultFigures;
  answers?: AnswerFigures[];
  pdf?: PdfDefects[];
  /** Figures of runs and of usage with their goals. */
  goals?: Goal[];
};

export const describeMachine = (postgres: string | undefined) => ({
  cpu: cpus()[0]?.model ?? 'unknown',
  cores: cpus().length,
  memoryGiB: Math.round(totalmem() / 2 ** 30),
  node: process.version,
  postgres,
  load: generator,
});

export function printFigures({
  machine,
  seed,
  reads = [],
  writes = [],
  graphql = [],
  scale = [],
  keyset = [],
  sponsorship = [],
  uploads,
  starts,
  embedded = [],
  vault,
  answers,
  pdf,
  goals = [],
}: BenchFigures): void {
  const { cores, cpu, memoryGiB, node, postgres, load } = machine;
  console.log(
    `\n${cores} cores (${cpu}), ${memoryGiB} GiB, Node ${node}, ${postgres ? `Postgres ${postgres}, ` : ''}${load}, seed ${seed}`,
  );
  for (const { read, servers, ratios } of [...reads, ...writes, ...graphql]) {
    console.log(`\n${read}`);
    console.table(servers.map((server) => ({ server: server.name, ...formatRound(server) })));
    for (const { over, requests } of ratios)
      console.log(`  ours is ${requests.toFixed(2)} × ${over}`);
  }
  if (scale[0])
    console.log(
      `\nA page of one organization, p50 in ms, at ${scale[0].users} and at ${scale[0].usersMore} users`,
    );
  if (scale[0])
    console.table(
      scale.map(({ question, ms, msMore, ratio, trigramScans }) => ({
        question,
        ms: toTwoDecimals(ms),
        'ms more': toTwoDecimals(msMore),
        ratio: toTwoDecimals(ratio),
        'trigram scans each': toTwoDecimals(trigramScans),
      })),
    );
  if (keyset[0])
    console.log(
      '\nPages of 20 rows by cursor, p50 in ms; aim: the slowest takes at most 2 × as long as the fastest',
    );
  if (keyset[0])
    console.table(
      keyset.map(({ list, rows, firstMs, middleMs, lastMs, ratio }) => ({
        list,
        rows,
        first: toTwoDecimals(firstMs),
        middle: toTwoDecimals(middleMs),
        last: toTwoDecimals(lastMs),
        'slowest ÷ fastest': toTwoDecimals(ratio),
      })),
    );
  if (sponsorship[0])
    console.log(
      '\nA page of a small and of a large partner, each with half of its links and redemptions in one campaign, p50 in ms',
    );
  if (sponsorship[0])
    console.table(
      sponsorship.map(({ question, ms, msMore, ratio }) => ({
        question,
        ms: toTwoDecimals(ms),
        'ms more': toTwoDecimals(msMore),
        ratio: toTwoDecimals(ratio),
      })),
    );
  if (uploads) {
    console.log(
      '\nUploads of 150 MB, each flushed to the disk and hashed, compared with a server that only writes them to disk',
    );
    console.table([
      Object.fromEntries(
        Object.entries(uploads).map(([name, value]) => [name, toTwoDecimals(value)]),
      ),
    ]);
  }
  if (starts)
    console.log(
      `\nEmbedded start: first ${toTwoDecimals(starts.firstMs / 1000)} s, on existing data ${toTwoDecimals(starts.againMs / 1000)} s`,
    );
  if (embedded[0]) console.log('\nEmbedded reads, for information');
  if (embedded[0])
    console.table(embedded.map(({ read, ...round }) => ({ read, ...formatRound(round) })));
  if (vault) printVault(vault);
  if (answers) printAnswers(answers);
  if (pdf) printPdf(pdf);
  if (goals[0]) printGoals('Runs and usage, and their goals', goals);
}

function printAnswers(answers: AnswerFigures[]): void {
  console.log(
    '\nAnswers: whether the passage with the answer is found, and what the built-in model answers',
  );
  console.table(
    answers.map(({ recallAt5, ndcgAt10, ...row }) => ({
      ...row,
      'recall at 5': recallAt5 === null ? '' : toTwoDecimals(recallAt5),
      'nDCG at 10': ndcgAt10 === null ? '' : toTwoDecimals(ndcgAt10),
    })),
  );
}

function printPdf(pdf: PdfDefects[]): void {
  console.log(
    `\nPDF: defects of the text, of the vault and of pdftotext -layout${pdf[0]?.pdftotext === null ? ' (skipped: this machine has no pdftotext)' : ''}`,
  );
  console.table(
    pdf.map(({ defect, cases, vault, pdftotext }) => ({
      defect,
      cases: cases === 0 ? '' : cases,
      vault,
      'pdftotext -layout': pdftotext ?? '',
    })),
  );
}

function printGoals(title: string, goals: readonly Goal[]): void {
  console.log(`\n${title}`);
  console.table(
    goals.map(({ figure, value, unit, goal, held }) => ({
      figure,
      value: Number(value.toFixed(value < 2 ? 3 : 1)),
      unit,
      goal,
      outcome: held ? 'met' : 'missed',
    })),
  );
}

function printVault({ quick, goals, retrieval }: VaultFigures): void {
  printGoals(
    `The vault and its goals${quick ? ' (quick: with smaller sizes than the goals are defined for)' : ''}`,
    goals,
  );
  console.log(
    '\nRetrieval: how often the right document is among the first five results, and its rank',
  );
  console.table(
    retrieval.map(({ recallAt5, ndcgAt10, ...row }) => ({
      ...row,
      'recall at 5': toTwoDecimals(recallAt5),
      'nDCG at 10': toTwoDecimals(ndcgAt10),
    })),
  );
}

const toTwoDecimals = (value: number) => Number(value.toFixed(2));
const formatRound = ({
  perSecond,
  p50Ms,
  p99Ms,
  cpuMicros,
}: ComparisonFigures['servers'][number] | Omit<EmbeddedFigures[number], 'read'>) => ({
  'requests/s': Math.round(perSecond),
  'p50 ms': toTwoDecimals(p50Ms),
  'p99 ms': toTwoDecimals(p99Ms),
  'cpu µs': Math.round(cpuMicros),
});
