import { builder } from '../../graph/schema/builder.ts';
import { scalar } from '../../graph/schema/scalars.ts';
import { addressCharactersMax, emailExpectation, readEmailAddress } from './email-address.ts';

declare module '../../graph/schema/builder.ts' {
  interface Scalars {
    EmailAddress: { Input: string; Output: string };
  }
}

builder.addScalarType(
  'EmailAddress',
  scalar(
    'EmailAddress',
    {
      expectation: emailExpectation,
      description: 'An e-mail address; stored in lower case, its domain in ASCII.',
      specifiedBy: 'https://www.rfc-editor.org/rfc/rfc5321#section-4.1.2',
      jsonSchema: { type: 'string', format: 'email', maxLength: addressCharactersMax },
    },
    readEmailAddress,
  ),
);
