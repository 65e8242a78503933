/**
 * How often something is tried that only chance brings about: a race, a kill at the wrong moment.
 * TEST_ROUNDS bounds it where a run must be short; without it all of them are tried.
 */
export function roundsOf(usual: number): number {
  const { TEST_ROUNDS } = process.env;
  return TEST_ROUNDS === undefined ? usual : Math.min(usual, Number(TEST_ROUNDS));
}
