import type { z } from 'zod';
import { AppError, type ErrorCode, errorCatalogue } from '../platform/errors.ts';
import { errorAnswer } from './client-answers.ts';
import { unreachable, type VaultAnswer } from './client-connection.ts';
import { extractFaults } from './extract/extract-error.ts';
import { explainRejection } from './signature.ts';

/**
 * The vault cannot read a document: `reason` is a code for programs, the message is for the person
 * who sent the document.
 */
export class VaultRefusal extends AppError<string> {
  declare readonly reason: string;

  constructor(reason: string, message: string) {
    super('UNREADABLE_DOCUMENT', message, reason);
  }
}

/**
 * The vault does not accept the calls of this API; the message for operators is in
 * `explanation`.
 */
class VaultRejectsCalls extends AppError<string> {
  declare readonly explanation: string;

  constructor(explanation: string) {
    super('UNAVAILABLE', unavailableMessage);
    this.explanation = explanation;
  }
}

const unavailableMessage = 'The vault can not do this now';

/** Tells operators why the vault could not do something. Clients of the API get the message. */
export const explainVaultFault = (error: AppError<string>): string =>
  error instanceof VaultRejectsCalls ? error.explanation : error.message;

const answerBytesMax = 32 * 1024 * 1024;

/** Reads an answer. If reading fails, the connection is closed. */
export async function readAnswer<Result>(
  answer: VaultAnswer,
  signal: AbortSignal | undefined,
  read: () => Promise<Result>,
): Promise<Result> {
  try {
    return await read();
  } catch (error) {
    answer.end();
    signal?.throwIfAborted();
    throw error instanceof AppError ? error : unreachable();
  }
}

export async function bodyOf(answer: VaultAnswer, statuses: readonly number[]): Promise<unknown> {
  const chunks: Uint8Array[] = [];
  let bytes = 0;
  for await (const chunk of answer.bytes) {
    bytes += chunk.length;
    if (bytes > answerBytesMax) throw new Error('the answer is too long');
    chunks.push(chunk);
  }
  const body: unknown = JSON.parse(Buffer.concat(chunks).toString());
  if (statuses.includes(answer.status)) return body;
  throw faultOf(body, answer);
}

export function parsed<Schema extends z.ZodType>(schema: Schema, body: unknown): z.output<Schema> {
  return schema.parse(body);
}

/** Errors caused by the request. All other errors of the vault become UNAVAILABLE. */
const clientErrorCodes: readonly ErrorCode[] = [
  'BAD_INPUT',
  'NOT_FOUND',
  'REQUEST_TIMEOUT',
  'PAYLOAD_TOO_LARGE',
  'STORAGE_FULL',
];

export function faultOf(
  body: unknown,
  { status, challenge }: Partial<Pick<VaultAnswer, 'status' | 'challenge'>> = {},
): AppError<string> {
  const { message, code } = parsed(errorAnswer, body);
  if (code !== undefined && (status === 422 || Object.hasOwn(extractFaults, code)))
    return new VaultRefusal(code, message);
  const clientErrorCode = clientErrorCodes.find(
    (candidate) => candidate === code || errorCatalogue[candidate].status === status,
  );
  if (clientErrorCode) return new AppError(clientErrorCode, message, undefined);
  return status === errorCatalogue.UNAUTHENTICATED.status
    ? new VaultRejectsCalls(
        explainRejection({ challenge, message }, { server: 'vault', sender: 'API' }),
      )
    : new AppError('UNAVAILABLE', unavailableMessage, undefined);
}

export async function undefinedIfNotFound<Result>(
  answer: Promise<Result>,
): Promise<Result | undefined> {
  try {
    return await answer;
  } catch (error) {
    if (error instanceof AppError && error.code === 'NOT_FOUND') return undefined;
    throw error;
  }
}
