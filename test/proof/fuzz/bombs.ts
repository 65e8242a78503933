/**
 * A request that is as expensive as possible. Each attempt has another text, so that no cache
 * helps.
 */
type QueryBomb = { name: string; bodyFor: (attemptNumber: number) => string };

const times = (count: number, make: (index: number) => string) =>
  Array.from({ length: count }, (_, index) => make(index)).join(' ');
const chain = (links: number, on: string, inner: (index: number) => string, end: string) =>
  `${times(links, (index) => `fragment F${index} on ${on} { ${inner(index)} }`)} fragment F${links} on ${on} { ${end} }`;
const spreadTwice = (index: number) => `...F${index + 1} ...F${index + 1}`;

const document = (name: string, query: string, variables: object = {}): QueryBomb => ({
  name,
  bodyFor: (attemptNumber) => JSON.stringify({ query: `# ${attemptNumber}\n${query}`, variables }),
});
const body = (name: string, text: string): QueryBomb => ({
  name,
  bodyFor: (attemptNumber) => text.replace('NTH', String(attemptNumber)),
});

const pageQuery =
  'query Page($size: Int!) { teams { nodes { users(pageSize: $size) { nodes { id email teams { id name } } } } } }';

export const bombs: readonly QueryBomb[] = [
  document(
    'levels of existing objects',
    `{ ${times(4, () => 'teams { users(pageSize: 1) { nodes {')} id ${'}'.repeat(13)}`,
  ),
  document('eleven levels', `{ ${times(10, () => 'teams {')} id ${'}'.repeat(11)}`),
  document('a thousand levels', `{ ${times(999, () => 'teams {')} id ${'}'.repeat(1_000)}`),
  document('five thousand levels', `{ ${'teams{'.repeat(2_400)} id ${'}'.repeat(2_401)}`),
  document(
    'levels behind fragments',
    `{ teams { nodes { ...F0 } } } ${chain(12, 'Team', (index) => `teams { ...F${index + 1} }`, 'id')}`,
  ),
  document('20,000 fields', `{ teams { nodes { ${'id '.repeat(20_000)} } } }`),
  document('as many fields as fit', `{ teams { nodes { ${'id '.repeat(1_990)} } } }`),
  document(
    '20,000 fields behind fragments',
    `{ teams { nodes { ...F0 } } } ${chain(15, 'Team', spreadTwice, 'id')}`,
  ),
  document('3,000 aliases', `{ ${times(3_000, (index) => `a${index}: teams { nodes { id } }`)} }`),
  document('as many aliases as fit', `{ ${times(390, (index) => `a${index}: __typename`)} }`),
  document(
    'a cycle of fragments',
    '{ teams { nodes { ...A } } } fragment A on Team { ...B } fragment B on Team { id ...A }',
  ),
  document(
    'a fragment in itself',
    '{ teams { nodes { ...A } } } fragment A on Team { teams { ...A } }',
  ),
  document(
    'a cycle of a hundred fragments',
    `{ teams { nodes { ...F0 } } } ${chain(100, 'Team', (index) => `...F${index + 1}`, '...F0')}`,
  ),
  document(
    'fragments that double forty times',
    `{ teams { nodes { ...F0 } } } ${chain(40, 'Team', spreadTwice, 'id')}`,
  ),
  document(
    'fragments that double in __schema',
    `{ __schema { types { ...F0 } } } ${chain(40, '__Type', spreadTwice, 'name')}`,
  ),
  document(
    'lists of lists in __schema',
    '{ __schema { types { fields { type { fields { type { fields { name } } } } } } } }',
  ),
  document(
    'lists in __schema behind fragments',
    '{ __schema { types { ...F } } } fragment F on __Type { fields { type { ...G } } } fragment G on __Type { possibleTypes { name } }',
  ),
  document('pageSize in a variable', pageQuery, { size: 100 }),
  document('pageSize in the default of a variable', pageQuery.replace('Int!', 'Int! = 100')),
  document(
    'thirty full pages',
    `query Pages($size: Int!) { ${times(20, (index) => `a${index}: users(pageSize: $size) { nodes { id email teams { id name } } }`)} }`,
    { size: 100 },
  ),
  document(
    'a thousand directives',
    `{ teams { nodes { id ${'@skip(if: false) '.repeat(390)} } } }`,
  ),
  document(
    '500 unknown fields',
    `{ teams { nodes { ${times(390, (index) => `unknown${index}`)} } } }`,
  ),
  document(
    '500 unknown arguments',
    `{ teams { nodes { id } } users(${times(450, (index) => `a${index}: ${index}`)}) { totalCount } }`,
  ),
  document(
    '500 fields that differ',
    `{ ${times(190, (index) => `a: users(page: ${index + 1}) { totalCount }`)} }`,
  ),
  document(
    '500 undeclared variables',
    `{ users(search: [${times(900, (index) => `$v${index}`)}]) { totalCount } }`,
  ),
  document(
    '500 unused variables',
    `query (${times(490, (index) => `$v${index}: Int`)}) { __typename }`,
  ),
  document(
    '500 operations',
    times(290, (index) => `query Q${index} { __typename }`),
  ),
  document(
    'a list in a list in a list',
    `{ users(search: ${'['.repeat(990)}${']'.repeat(990)}) { totalCount } }`,
  ),
  document(
    'an object in an object',
    `{ users(search: ${'{a:'.repeat(400)}1${'}'.repeat(400)}) { totalCount } }`,
  ),
  document(
    'a text of 20,000 characters',
    `{ users(search: "${'x'.repeat(19_900)}") { totalCount } }`,
  ),
  document('a comment of a megabyte', `{ teams { nodes { id } } } #${'x'.repeat(1_000_000)}`),
  document('a number of 19,000 digits', `{ users(page: ${'9'.repeat(19_000)}) { totalCount } }`),
  document(
    'a variable of a megabyte',
    'query Search($text: String) { users(search: $text) { totalCount } }',
    { text: 'x'.repeat(1_000_000) },
  ),
  document(
    'a variable of 200,000 numbers',
    'query Search($text: String) { users(search: $text) { totalCount } }',
    {
      text: Array.from({ length: 200_000 }, () => 1),
    },
  ),
  document(
    'a variable of 10,001 addresses',
    'mutation Make($emails: [EmailAddress!]) { createCampaign(input: { name: "a", durationMonths: 1, allowedEmails: $emails }) { campaign { id } } }',
    {
      emails: Array.from({ length: 10_001 }, (_, index) => `a${index}@example.com`),
    },
  ),
  body(
    'a batch of a hundred',
    JSON.stringify(Array.from({ length: 100 }, () => ({ query: '{ teams { nodes { id } } }' }))),
  ),
  body('a batch of one', '[{"query":"{ teams { nodes { id } } }","NTH":1}]'),
  body(
    'a body of 100,000 arrays',
    `{"query":"{ teams { nodes { id } } }","NTH":1,"variables":${'['.repeat(100_000)}${']'.repeat(100_000)}}`,
  ),
  body(
    'variables 100,000 deep',
    `{"query":"{ teams { nodes { id } } }","NTH":1,"variables":{"a":${'['.repeat(100_000)}}`,
  ),
  body(
    'a body of two megabytes',
    `{"query":"{ teams { nodes { id } } }","NTH":1,"x":"${'x'.repeat(2_000_000)}"}`,
  ),
];
