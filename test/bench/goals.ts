/** A figure beside what was promised of it. */
export type Goal = { figure: string; value: number; unit: string; goal: string; held: boolean };

type Measured = { figure: string; value: number; unit: string };

export const atLeast = (goal: number, measured: Measured): Goal => ({
  ...measured,
  goal: `≥ ${goal.toLocaleString('en')}`,
  held: measured.value >= goal,
});
export const atMost = (goal: number, measured: Measured): Goal => ({
  ...measured,
  goal: `≤ ${goal.toLocaleString('en')}`,
  held: measured.value <= goal,
});
export const below = (goal: number, measured: Measured): Goal => ({
  ...measured,
  goal: `< ${goal.toLocaleString('en')}`,
  held: measured.value < goal,
});
