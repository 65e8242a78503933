import { z } from 'zod';
import { preferredLanguage } from '../../../platform/language.ts';
import { requireMail } from '../../../platform/mail/mail.ts';
import { parseEmailAddress } from '../../users/email-address.ts';
import { emailMessage, invalidFields, returnPathMessage } from '../account-errors.ts';
import type { AccountServices } from '../account-services.ts';
import { parseReturnPath } from '../return-path.ts';
import { countRequestedMail } from './mail-rate-limit.ts';

/** The body of a request for a link by mail. */
export const mailRequest = z.object({ email: z.string(), callbackPath: z.string().default('/') });

type MailRequestInput = { body: z.output<typeof mailRequest>; request: Request };

/**
 * Returns the address, the page to which the link leads back, and the language of the page.
 * Rejects the request if no mail can
 * be sent or the limit of mails is reached.
 */
export async function parseMailRequest(
  { body, request }: MailRequestInput,
  services: AccountServices,
) {
  const { mail, originOf } = services;
  const email = parseEmailAddress(body.email);
  const returnPath = parseReturnPath(body.callbackPath);
  if (email === undefined) throw invalidFields({ email: emailMessage });
  if (returnPath === undefined) throw invalidFields({ callbackPath: returnPathMessage });
  requireMail(mail);
  await countRequestedMail(email, request, services);
  return {
    ...{ email, returnPath, origin: originOf(request) },
    pageLanguage: preferredLanguage(request.headers.get('accept-language')),
  };
}
