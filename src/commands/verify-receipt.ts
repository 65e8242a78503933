import type { Receipt } from '../modules/runs/receipts/receipt.ts';
import { sha256Of } from '../modules/runs/receipts/receipt-participant.ts';
import { ReceiptFault, standsIn, verifyReceipt } from '../modules/runs/receipts/verify-receipt.ts';
import { printLine, runCommand } from './command.ts';
import { readArguments, readKeys, readText, UsageError } from './verification.ts';

const usage = `Usage: npm run receipt:verify -- <receipt.json> [--key <jwks.json>]
  [--question <file>] [--answer <file>] [--text <file> [--citation <marker>]]`;

/**
 * `npm run receipt:verify -- receipt.json` checks the signature of a receipt, and on request that
 * files have what it says. With --key it needs no network and no database; without, it uses the keys
 * of this installation. The exit code is 0 for a valid receipt, 1 for an invalid one, and 2 if the
 * check was not possible.
 */
async function main(): Promise<void> {
  const option = { type: 'string' } as const;
  const { file, values } = readArguments(usage, {
    ...{ key: option, question: option, answer: option, text: option, citation: option },
  });
  const { key, question, answer, text, citation } = values;
  if (citation !== undefined && text === undefined) throw new UsageError(usage);
  const keys = await readKeys(key);
  const { receipt, keyId } = verifyReceipt(readText(file), keys);
  printLine(`The signature is valid. It was made with the key ${keyId}.`);
  printLine(
    `Run ${receipt.runId} of assistant ${receipt.assistantId} ended at ${receipt.endedAt}; the model was ${receipt.model}. ${receipt.issuer} issued the receipt.`,
  );
  if (question !== undefined) requireHash('question', readText(question), receipt.questionSha256);
  if (answer !== undefined) requireHash('answer', readText(answer), receipt.answerSha256);
  if (text !== undefined) checkCitations(readText(text), receipt, citation);
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

runCommand(main, (error) => (error instanceof ReceiptFault ? 1 : 2));
