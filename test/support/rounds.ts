/**
 * The number of rounds of a test that depends on chance, such as a race or a kill. TEST_ROUNDS
 * limits it for short runs.
 */
export function roundsOf(defaultRounds: number): number {
  const { TEST_ROUNDS } = process.env;
  return TEST_ROUNDS === undefined ? defaultRounds : Math.min(defaultRounds, Number(TEST_ROUNDS));
}
