import { selectAnswer } from '../../src/modules/runs/extractive/select-answer.ts';
import { fencePassages, readFenced } from '../../src/modules/runs/fence.ts';
import { runLimits } from '../../src/modules/runs/run-limits.ts';
import type { VaultClient } from '../../src/vault/client.ts';
import { type LabelledQuestion, readDocuments, readQuestions } from './answers-set/labelled-set.ts';
import { withVault } from './vault-servers.ts';

const collection = 'answers';
const fence = `data-${'0'.repeat(24)}`;

export type AnswerFigures = {
  questions: string;
  count: number;
  recallAt5: number | null;
  ndcgAt10: number | null;
  right: number;
  wrong: number;
  refused: number;
};
type QuestionOutcome = LabelledQuestion & {
  /** The rank of the first passage with the answer, from 1; 0 if none of the first ten has it. */
  rank: number;
  answer: 'right' | 'wrong' | 'refused';
  answerText: string;
};
type FoundPassage = Awaited<ReturnType<VaultClient['search']>>['passages'][number];

/**
 * Measures how often the vault finds the passage with the answer, and how often the built-in model
 * answers rightly. The documents are read by the complete vault. The documentation of Atrium is in
 * the same collection, so that the answers have to be found among other texts.
 */
export async function measureAnswers(showEach: boolean): Promise<AnswerFigures[]> {
  const questions = await readQuestions();
  const outcomes = await withVault(async ({ client }) => {
    for (const { name, bytes } of await readDocuments())
      await client.ingest({ collection, document: name, fileName: name, body: toAsync([bytes]) });
    const answered: QuestionOutcome[] = [];
    for (const question of questions) answered.push(await outcomeOf(question, client));
    return answered;
  });
  if (showEach) for (const outcome of outcomes) console.log(describe(outcome));
  return groupsOf(outcomes).map(([name, group]) => figuresOf(name, group));
}

async function outcomeOf(
  question: LabelledQuestion,
  client: VaultClient,
): Promise<QuestionOutcome> {
  const { passages } = await client.search({ collection, query: question.text, limit: 10 });
  const hasAnswer = ({ document, text }: FoundPassage) =>
    document === question.document && containsAnswer(text, question);
  const answerText = answerFrom(question.text, passages.slice(0, runLimits.passagesPerSearch));
  const isRefused = !/\[\d+\]/.test(answerText);
  return {
    ...question,
    rank: passages.findIndex(hasAnswer) + 1,
    answer: isRefused ? 'refused' : containsAnswer(answerText, question) ? 'right' : 'wrong',
    answerText,
  };
}

/** The answer of the built-in model, which sees the passages as a run shows them. */
function answerFrom(question: string, found: readonly FoundPassage[]): string {
  const numbered = found.map((passage, index) => ({
    ...passage,
    number: index + 1,
    documentId: passage.document,
    versionId: passage.document,
    isPreviousVersion: false,
    originalName: passage.document,
  }));
  return selectAnswer(question, readFenced(fencePassages(numbered, { fence, about: '' }))).join('');
}

const normalized = (text: string) => text.replaceAll(/\s+/g, ' ').toLowerCase();
const containsAnswer = (text: string, { evidence }: LabelledQuestion) =>
  evidence.some((part) => normalized(text).includes(normalized(part)));

function groupsOf(outcomes: QuestionOutcome[]): [string, QuestionOutcome[]][] {
  const groupBy = (nameOf: (outcome: QuestionOutcome) => string) =>
    Object.entries(Object.groupBy(outcomes, nameOf)).map(
      ([name, group = []]): [string, QuestionOutcome[]] => [name, group],
    );
  const answerable = outcomes.filter(({ kind }) => kind !== 'unanswerable');
  return [
    ['all with an answer', answerable],
    ...groupBy(({ isHeldOut, kind }) =>
      kind === 'unanswerable' ? 'unanswerable' : isHeldOut ? 'held out' : 'tuning',
    ),
    ...groupBy(({ kind, language }) => `${kind}, ${language}`).sort(([a], [b]) => (a < b ? -1 : 1)),
  ];
}

function figuresOf(questions: string, group: readonly QuestionOutcome[]): AnswerFigures {
  const answerable = group.filter(({ kind }) => kind !== 'unanswerable');
  const mean = (figureIn: (outcome: QuestionOutcome) => number) =>
    answerable.length === 0
      ? null
      : answerable.reduce((sum, outcome) => sum + figureIn(outcome), 0) / answerable.length;
  const count = (answer: QuestionOutcome['answer']) =>
    group.filter((outcome) => outcome.answer === answer).length;
  return {
    questions,
    count: group.length,
    recallAt5: mean(({ rank }) => (rank >= 1 && rank <= 5 ? 1 : 0)),
    // Each question counts one passage with its answer, so the ideal DCG is 1.
    ndcgAt10: mean(({ rank }) => (rank > 0 ? 1 / Math.log2(rank + 1) : 0)),
    right: count('right'),
    wrong: count('wrong'),
    refused: count('refused'),
  };
}

const describe = ({ kind, language, isHeldOut, text, rank, answer, answerText }: QuestionOutcome) =>
  [
    isHeldOut ? 'held out' : 'tuning',
    kind,
    language,
    `rank ${rank || '-'}`,
    answer,
    text,
    answerText.replaceAll(/\s+/g, ' ').slice(0, 200),
  ].join('\t');

async function* toAsync(items: Uint8Array[]) {
  yield* items;
}
