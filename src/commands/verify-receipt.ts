import { readFileSync } from 'node:fs';
import { parseArgs } from 'node:util';
import type { Receipt } from '../modules/runs/receipts/receipt.ts';
import { readPublicKeys } from '../modules/runs/receipts/receipt-keys.ts';
import { sha256Of } from '../modules/runs/receipts/receipt-participant.ts';
import {
  parseKeySet,
  ReceiptFault,
  standsIn,
  verifyReceipt,
} from '../modules/runs/receipts/verify-receipt.ts';
import { openDatabase } from '../platform/database/open-database.ts';
import { createErrorLog } from '../platform/log.ts';
import { prepareProgram } from '../platform/prepare-program.ts';

const usage = `Usage: npm run receipt:verify -- <receipt.json> [--key <jwks.json>]
  [--question <file>] [--answer <file>] [--text <file> [--citation <marker>]]`;

class UsageError extends Error {}

/**
 * `npm run receipt:verify -- receipt.json` checks the signature of a receipt, and on request that
 * files have what it says. With --key it needs no network and no database; without, it uses the keys
 * of this installation. The exit code is 0 for a valid receipt, 1 for an invalid one, and 2 if the
 * check was not possible.
 */
async function main(): Promise<void> {
  const { receipt: file, key, question, answer, text, citation } = readArguments();
  const keys = parseKeySet(key === undefined ? await readOwnKeys() : readText(key));
  const { receipt, keyId } = verifyReceipt(readText(file), keys);
  printLine(`The signature is valid. It was made with the key ${keyId}.`);
  printLine(
    `Run ${receipt.runId} of assistant ${receipt.assistantId} ended at ${receipt.endedAt}; the model was ${receipt.model}. ${receipt.issuer} issued the receipt.`,
  );
  if (question !== undefined) requireHash('question', readText(question), receipt.questionSha256);
  if (answer !== undefined) requireHash('answer', readText(answer), receipt.answerSha256);
  if (text !== undefined) checkCitations(readText(text), receipt, citation);
}

function readArguments() {
  const options = { type: 'string' } as const;
  try {
    const { values, positionals } = parseArgs({
      allowPositionals: true,
      options: {
        ...{ key: options, question: options, answer: options, text: options },
        citation: options,
      },
    });
    const [receipt, ...others] = positionals;
    if (receipt === undefined || others.length > 0) throw new UsageError(usage);
    if (values.citation !== undefined && values.text === undefined) throw new UsageError(usage);
    return { receipt, ...values };
  } catch (error) {
    if (error instanceof UsageError || !(error instanceof TypeError)) throw error;
    throw new UsageError(`${error.message}\n${usage}`);
  }
}

async function readOwnKeys(): Promise<string> {
  const env = prepareProgram();
  const database = await openDatabase({
    databaseUrl: env.DATABASE_URL,
    dataDir: env.DATA_DIR,
    isPatient: true,
    log: createErrorLog(env),
  });
  try {
    return JSON.stringify({ keys: await readPublicKeys(database) });
  } finally {
    await database.close();
  }
}

/** An editor may have added a line break at the end of the file. */
function requireHash(name: string, content: string, sha256: string): void {
  if (![content, content.replace(/\r?\n$/, '')].some((form) => sha256Of(form) === sha256))
    throw new ReceiptFault(`The ${name} is not the one of the receipt.`);
  printLine(`The ${name} is the one of the receipt.`);
}

function checkCitations(text: string, { citations }: Receipt, marker: string | undefined): void {
  const checked = citations.filter((one) => marker === undefined || String(one.marker) === marker);
  if (checked.length === 0)
    throw new ReceiptFault(
      marker === undefined
        ? 'The receipt has no citations.'
        : `The receipt has no citation ${marker}.`,
    );
  const missing = checked.filter((citation) => !standsIn(text, citation));
  for (const citation of checked) {
    const { marker: number, start, end } = citation;
    const verb = missing.includes(citation) ? 'does not stand' : 'stands';
    printLine(`The passage of citation ${number} ${verb} in the text at ${start} to ${end}.`);
  }
  if (missing.length > 0) throw new ReceiptFault('The text is not the one that was cited.');
}

function readText(path: string): string {
  try {
    return readFileSync(path, 'utf8');
  } catch (error) {
    throw new UsageError(`${path} cannot be read: ${messageOf(error)}`);
  }
}

const printLine = (line: string) => process.stdout.write(`${line}\n`);
const messageOf = (error: unknown): string =>
  error instanceof Error ? error.message : String(error);

main().catch((error: unknown) => {
  process.stderr.write(`${messageOf(error)}\n`);
  process.exitCode = error instanceof ReceiptFault ? 1 : 2;
});
