import type { z } from 'zod';
import { AppError, type ErrorCode, errorCatalogue } from '../platform/errors.ts';
import { errorAnswer } from './client-answers.ts';
import { unreachable, type VaultAnswer } from './client-connection.ts';
import { extractFaults } from './extract/extract-error.ts';

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
  throw faultOf(answer.status, body);
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

export function faultOf(status: number | undefined, body: unknown): AppError<string> {
  const { message, code } = parsed(errorAnswer, body);
  if (code !== undefined && (status === 422 || Object.hasOwn(extractFaults, code)))
    return new VaultRefusal(code, message);
  const clientErrorCode = clientErrorCodes.find(
    (candidate) => candidate === code || errorCatalogue[candidate].status === status,
  );
  return clientErrorCode
    ? new AppError(clientErrorCode, message, undefined)
    : new AppError('UNAVAILABLE', 'The vault can not do this now');
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
