import { builder } from '../../graph/schema/builder.ts';
import { Language as LanguageValues } from '../../platform/database/generated/client.ts';

export const Language = builder.enumType(LanguageValues, {
  name: 'Language',
  description: 'A language of the console and of mails.',
  values: { EN: { description: 'English.' }, DE: { description: 'German.' } },
});
