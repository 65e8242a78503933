/** How often a test that depends on chance, such as a race or a kill, is tried. Proofs try more. */
export const rounds = Number(process.env['TEST_ROUNDS'] ?? 3);
