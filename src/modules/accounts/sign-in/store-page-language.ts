import { getOAuthState } from 'better-auth/api';
import { Language } from '../../../platform/database/generated/client.ts';
import { preferredLanguage } from '../../../platform/language.ts';
import type { AccountServices } from '../account-services.ts';

type PageLanguageInput = { userId: string; headers: Headers | undefined };

/**
 * Stores the language of the page with which a person signs in, if their account has none. The
 * console names the language in which it is shown by Accept-Language. A provider sends people back
 * with a navigation, in which the browser names its own languages, so the state of that sign-in has
 * the language of the page.
 */
export async function storePageLanguage(
  { userId, headers }: PageLanguageInput,
  { database }: Pick<AccountServices, 'database'>,
): Promise<void> {
  const state = await getOAuthState();
  const ofProviderSignIn = Object.values(Language).find(
    (language) => language === state?.['language'],
  );
  const language = ofProviderSignIn ?? preferredLanguage(headers?.get('accept-language'));
  if (language === null) return;
  await database.sql`
    update users set language = ${language}, updated_at = now() where id = ${userId} and language is null`;
}
