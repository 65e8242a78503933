import { notFound } from '../../../platform/errors.ts';
import { readStatements, type Statement } from './read-statements.ts';
import {
  requireStatementMonth,
  type StatementDependencies,
  type StatementMonthInput,
} from './require-statement-month.ts';

/** Reads the statement of a month. */
export async function readStatement(
  input: StatementMonthInput,
  dependencies: StatementDependencies,
): Promise<Statement> {
  const { month, ...scope } = await requireStatementMonth(input, dependencies);
  const [statement] = await readStatements({ ...scope, months: [month] }, dependencies.database);
  if (!statement) throw notFound('Statement');
  return statement;
}
