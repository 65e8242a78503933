/** Before the first test: which tests this run leaves out, and why. */
export function setup(): void {
  const { TEST_DATABASE_URL, TEST_REDIS_URL } = process.env;
  const missing = [
    TEST_DATABASE_URL
      ? 'what concerns the embedded database alone, for TEST_DATABASE_URL is set'
      : 'several processes and lost connections on one Postgres, for TEST_DATABASE_URL is not set',
    ...(TEST_REDIS_URL ? [] : ['limits counted together, for TEST_REDIS_URL is not set']),
  ];
  for (const reason of missing) process.stderr.write(`Left out: ${reason}.\n`);
}
