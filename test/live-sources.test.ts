import { getOperationAST, parse, validate } from 'graphql';
import { expect, it } from 'vitest';
import { readSources } from '../src/graph/live/read-sources.ts';
import { liveSourceOf, liveTypes } from '../src/live-sources.ts';
import { schema } from '../src/schema.ts';

function sourceOf(text: string) {
  const document = parse(text);
  expect(validate(schema, document)).toEqual([]);
  const operation = getOperationAST(document);
  if (!operation) throw new Error('The document has several operations');
  return readSources(schema, document, operation, liveSourceOf);
}
const changes = (text: string, type: string) => sourceOf(text)?.isChangedBy([type]);

it('Every listed type is a type of the schema', () => {
  expect(liveTypes.filter((name) => !schema.getType(name))).toEqual([]);
});

it('A query is changed by the types whose fields it selects, also in fragments and totals', () => {
  const total = '{ campaigns { totalCount } }';
  expect(changes(total, 'Campaign')).toBe(true);
  expect(changes(total, 'Redemption')).toBe(true);
  expect(changes(total, 'AssistantFile')).toBe(false);
  const fragment =
    'query Files { assistants { ...Page } } fragment Page on AssistantConnection { nodes { name files { totalCount } } }';
  expect(changes(fragment, 'AssistantFile')).toBe(true);
  expect(changes(fragment, 'Link')).toBe(false);
  const both = '{ campaigns { totalCount } assistants { totalCount } }';
  expect(changes(both, 'Assistant')).toBe(true);
  expect(changes(both, 'Link')).toBe(true);
});

it('A query whose types are not listed is changed by everything', () => {
  for (const text of [
    '{ node(id: "1") { id } }',
    '{ auditEntries { nodes { action } } }',
    '{ viewer { kind } campaigns { totalCount } }',
  ])
    expect(changes(text, 'WebhookEndpoint')).toBe(true);
});

it('A query that searches, downloads, asks providers or checks a token is not live', () => {
  for (const text of [
    '{ models { available { name } } }',
    '{ teams { totalCount } vaultSearch(query: "a", assistantId: "1") { passages { text } } }',
    '{ assistantFileContent(assistantId: "1", documentId: "2") }',
    '{ invitation(token: "1") { email } }',
  ])
    expect(sourceOf(text)).toBeUndefined();
});

it('Results with a file or a run in progress are in progress, and texts of people are not', () => {
  const files = sourceOf(
    '{ assistantFiles(assistantId: "1") { nodes { processingStatus originalName } } }',
  );
  expect(files?.isInProgress('{"processingStatus":"PROCESSING"}')).toBe(true);
  expect(files?.isInProgress('{"processingStatus":"COMPLETED"}')).toBe(false);
  expect(files?.isInProgress('{"originalName":"a \\":\\"PROCESSING\\""}')).toBe(false);
  expect(sourceOf('{ runs { nodes { state } } }')?.isInProgress('{"state":"QUEUED"}')).toBe(true);
});
