import { isTracing, runInSpan, startSpan } from '../telemetry/spans.ts';
import type { Statement } from './driver/statement.ts';
import type { SqlTemplate } from './sql.ts';
import { summaryOf } from './statement-summary.ts';

const system = 'postgresql';
const summaryCharactersMax = 255;

/** Executes a statement in a span that names it without its values. */
export function inStatementSpan<Result>(
  text: string,
  execute: () => Promise<Result>,
): Promise<Result> {
  if (!isTracing()) return execute();
  const summary = summaryOf(text);
  const span = startSpan({
    name: summary,
    kind: 'client',
    attributes: { 'db.system.name': system, 'db.query.summary': summary },
  });
  return runInSpan(span, execute);
}

/** Runs a transaction in one span that names its statements, with the time for its connection. */
export function inTransactionSpan<Result>(
  build: SqlTemplate<Statement>,
  run: (build: SqlTemplate<Statement>) => Promise<Result>,
): Promise<Result> {
  if (!isTracing()) return run(build);
  const span = startSpan({
    name: 'transaction',
    kind: 'client',
    attributes: { 'db.system.name': system },
  });
  if (!span) return run(build);
  const summaries: string[] = [];
  const buildAndNote: SqlTemplate<Statement> = (...template) => {
    const statement = build(...template);
    summaries.push(summaryOf(statement.text));
    return statement;
  };
  return runInSpan(span, () =>
    run(buildAndNote).finally(() =>
      span.set({
        'db.query.summary': summaries.join('; ').slice(0, summaryCharactersMax),
        'db.operation.batch.size': summaries.length,
      }),
    ),
  );
}
