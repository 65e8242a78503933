import { builder } from '../../../graph/schema/builder.ts';
import { inputRule } from '../../../graph/schema/input-rules.ts';
import { requireOutputSchema } from './output-schema.ts';

/** Checked before the run starts: a wrong schema would waste a call of the model. */
const schemaRule = inputRule(
  {
    expectation: 'a JSON schema',
    jsonSchema: { title: 'OutputSchema', type: ['object', 'boolean'] },
    directive: null,
  },
  (value) => {
    requireOutputSchema(value);
    return value;
  },
);

export const RunOutputInput = builder.inputType('RunOutputInput', {
  description: 'What the answer of a run must be.',
  fields: (t) => ({
    schema: t.field({
      type: 'JSON',
      rule: schemaRule,
      description:
        'A JSON Schema of the 2020-12 dialect, of at most 65,536 bytes. The answer is valid under it, or the run fails with OUTPUT_INVALID.',
    }),
  }),
});
