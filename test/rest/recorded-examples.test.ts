import { globSync, readFileSync } from 'node:fs';
import { expect, it } from 'vitest';
import recorded from '../../src/rest/openapi/examples.json' with { type: 'json' };
import { committedDocument } from '../support/openapi.ts';
import { calls } from '../support/parity/calls.ts';
import { recordExamples } from '../support/parity/record-examples.ts';
import { uncausedErrors } from '../support/parity/uncaused-errors.ts';

it('The examples of OpenAPI are what the server answers', async () => {
  // If this fails after a change of a call, record the answers again: npm run record:examples
  expect(await recordExamples()).toEqual(recorded);
});

it('Every call has a recorded answer', () => {
  const names = calls.map(({ name }) => name).filter((name) => !name.startsWith('GET /files/'));
  expect(Object.keys(recorded.calls).toSorted()).toEqual(names.toSorted());
});

it('Every example of an error is a recorded message, not the description of the error', () => {
  const messages = new Set(
    [recorded.errors, ...Object.values(recorded.calls).map(({ errors }) => errors)].flatMap(
      (errors) => Object.values<{ message?: string }>(errors).map(({ message }) => message),
    ),
  );
  const examples = [
    ...Object.values(committedDocument.paths).flatMap((methods) =>
      Object.values(methods).flatMap(({ operationId, responses }) =>
        Object.values(responses).map((response) => ({ operationId, response })),
      ),
    ),
    ...Object.values(committedDocument.components.responses).map((response) => ({
      operationId: 'any call',
      response,
    })),
  ].flatMap(({ operationId, response }) =>
    Object.entries(
      ('content' in response && response.content?.['application/json']?.examples) || {},
    ).map(([code, { value }]) => ({ operationId, code, message: Object(value).message })),
  );
  expect(examples.length).toBeGreaterThan(30);
  expect(examples.filter(({ message }) => !messages.has(message))).toEqual([]);
});

it.each(Object.entries(uncausedErrors))(
  'The message of %s is in the sources',
  (_: string, { template }) => {
    const source = template.replaceAll('{', '${');
    const files = globSync('src/**/*.ts').filter((file) =>
      readFileSync(file, 'utf8').includes(source),
    );
    expect(files).not.toEqual([]);
  },
);
