import { type Lane, selectedLanes, testFiles } from '../lanes.ts';

const otherLanes: [Lane, string][] = [
  ['unit', 'that only call functions: npm test runs them'],
  ['application', 'that need a server or a database: npm test runs them'],
  [
    'exhaustive',
    'that open a browser, start programs, go through every call or take long: npm run test:all runs them',
  ],
  ['proof', 'that kill processes again and again: npm run prove runs them'],
];

/** Reports before the first test which tests this run skips and why. */
export function setup(): void {
  const { TEST_DATABASE_URL, TEST_REDIS_URL, TEST_PGVECTOR_URL, TEST_LANE } = process.env;
  const lanes = selectedLanes(TEST_LANE, process.argv.slice(2));
  const missing = [
    TEST_DATABASE_URL
      ? 'tests of the embedded database, because TEST_DATABASE_URL is set'
      : 'tests of several processes and lost connections on Postgres, because TEST_DATABASE_URL is not set',
    ...(TEST_REDIS_URL ? [] : ['tests of shared rate limits, because TEST_REDIS_URL is not set']),
    ...(TEST_PGVECTOR_URL
      ? []
      : [
          'tests of vectors in a Postgres server, because TEST_PGVECTOR_URL is not set; the same statements run in PGlite',
        ]),
    ...otherLanes
      .filter(([lane]) => !lanes.includes(lane))
      .map(([lane, reason]) => `${testFiles(lane).length} test files ${reason}`),
  ];
  for (const reason of missing) process.stderr.write(`Skipped: ${reason}.\n`);
}
