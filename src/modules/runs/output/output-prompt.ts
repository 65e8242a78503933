import type { ModelMessage } from 'ai';
import { AppError } from '../../../platform/errors.ts';
import type { RunOutput } from './read-output.ts';

const faultsTold = 3;

/** An answer that is not valid, and why. */
export type RejectedAnswer = { text: string; faults: readonly string[] };

/**
 * Asks for the schema as a message of the caller: it ranks below the instructions of the assistant.
 * Providers that take the schema as a parameter need the message as well, for models that ignore it.
 */
export const outputRequest = ({ schema }: RunOutput): ModelMessage => ({
  role: 'user',
  content: `Answer with one JSON value and no text beside it. Numbers in brackets, like [1], may only stand inside of its texts. The value must be valid under this JSON Schema:\n${JSON.stringify(schema)}`,
});

/** Asks the model to mend an answer that is not valid. */
export const mendRequest = ({ text, faults }: RejectedAnswer): ModelMessage[] => [
  // No provider accepts an empty message.
  ...(text.trim() === '' ? [] : [{ role: 'assistant' as const, content: text }]),
  {
    role: 'user',
    content: `This answer is not valid:\n${faults.map((fault) => `- ${fault}`).join('\n')}\nAnswer again with one JSON value that is valid under the JSON Schema, and with no text beside it.`,
  },
];

/** The error of a run that ends without a valid answer. */
export function outputInvalid(rejected?: RejectedAnswer): AppError {
  if (!rejected)
    return new AppError('OUTPUT_INVALID', 'The model reached its token limit before it answered');
  const faults = rejected.faults.slice(0, faultsTold).join(' ');
  return new AppError(
    'OUTPUT_INVALID',
    `The model gave no answer that is valid under the schema: ${faults}`,
  );
}
