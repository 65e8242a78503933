import { isDeepStrictEqual } from 'node:util';
import { z } from 'zod';
import { type Receipt, type ReceiptCitation, receiptSchema } from './receipt.ts';
import { sha256Of } from './receipt-participant.ts';
import { readSignedText } from './signed-text.ts';

/** Why a receipt or what it is compared with is not valid, for people. */
export class ReceiptFault extends Error {}

const keySetSchema = z.object({
  keys: z.array(
    z.object({
      kid: z.string(),
      kty: z.string(),
      crv: z.string().optional(),
      x: z.string().optional(),
    }),
  ),
});

/** Parses a JWK set. Keys of other kinds are left out. */
export function parseKeySet(json: string) {
  const parsed = keySetSchema.safeParse(parseJson(json, 'The key set'));
  if (!parsed.success) throw new ReceiptFault('The key set is not a JWK set.');
  return new Map(
    parsed.data.keys.flatMap(({ kid, kty, crv, x }) =>
      kty === 'OKP' && crv === 'Ed25519' && x !== undefined
        ? [[kid, { kty, crv, x }] as const]
        : [],
    ),
  );
}

/**
 * Checks the signature of a receipt: its JSON as the API answers it, or its JWS alone. The fields
 * beside the JWS must say the same as the signed text.
 */
export function verifyReceipt(
  file: string,
  keys: ReturnType<typeof parseKeySet>,
): { receipt: Receipt; keyId: string } {
  const isJson = file.trimStart().startsWith('{');
  const { jws, ...fields } = isJson ? Object(parseJson(file, 'The receipt')) : { jws: file.trim() };
  if (typeof jws !== 'string') throw new ReceiptFault('The receipt has no field jws.');
  const signed = readSignedText(jws, (id) => keys.get(id));
  if ('fault' in signed) throw new ReceiptFault(signed.fault);
  const content = parseJson(signed.text, 'The signed text');
  const parsed = receiptSchema.safeParse(content);
  if (!parsed.success) throw new ReceiptFault('The signed text is not a receipt.');
  for (const [name, value] of Object.entries(fields))
    if (!isDeepStrictEqual(value, Object(content)[name]))
      throw new ReceiptFault(`The field ${name} differs from the signed text.`);
  return { receipt: parsed.data, keyId: signed.keyId };
}

/** Whether the text of a document has the cited passage at its place. */
export const standsIn = (text: string, { start, end, sha256 }: ReceiptCitation): boolean =>
  end <= text.length && sha256Of(text.slice(start, end)) === sha256;

function parseJson(text: string, what: string): unknown {
  try {
    return JSON.parse(text);
  } catch (error) {
    if (!(error instanceof SyntaxError)) throw error;
    throw new ReceiptFault(`${what} is not JSON.`);
  }
}
