/** Reports before the first test which tests this run skips and why. */
export function setup(): void {
  const { TEST_DATABASE_URL, TEST_REDIS_URL } = process.env;
  const missing = [
    TEST_DATABASE_URL
      ? 'tests of the embedded database, because TEST_DATABASE_URL is set'
      : 'tests of several processes and lost connections on Postgres, because TEST_DATABASE_URL is not set',
    ...(TEST_REDIS_URL ? [] : ['tests of shared rate limits, because TEST_REDIS_URL is not set']),
  ];
  for (const reason of missing) process.stderr.write(`Skipped: ${reason}.\n`);
}
