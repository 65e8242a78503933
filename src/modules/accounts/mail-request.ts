import { z } from 'zod';
import { requireMail } from '../../platform/mail/mail.ts';
import { parseEmailAddress } from '../users/email-address.ts';
import type { AccountServices } from './account-services.ts';
import { takeMail } from './mail-allowance.ts';
import { wrongEmail, wrongFields, wrongReturnPath } from './refusals.ts';
import { parseReturnPath } from './return-path.ts';

/** What somebody sends who wants a link by mail. */
export const mailRequest = z.object({ email: z.string(), callbackPath: z.string().default('/') });

type Asked = { body: z.output<typeof mailRequest>; request: Request };

/**
 * The address and the page that its link leads back to, once there is mail and some of it is left
 * for them.
 */
export async function readMailRequest({ body, request }: Asked, parts: AccountServices) {
  const { mail, originOf } = parts;
  const email = parseEmailAddress(body.email);
  const returnPath = parseReturnPath(body.callbackPath);
  if (email === undefined) throw wrongFields({ email: wrongEmail });
  if (returnPath === undefined) throw wrongFields({ callbackPath: wrongReturnPath });
  requireMail(mail);
  await takeMail(email, request, parts);
  return { email, returnPath, origin: originOf(request) };
}
