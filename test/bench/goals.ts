/** A measured figure and its goal. `held`: the goal is met. */
export type Goal = { figure: string; value: number; unit: string; goal: string; held: boolean };

type MeasuredFigure = { figure: string; value: number; unit: string };

export const atLeast = (goal: number, figure: MeasuredFigure): Goal => ({
  ...figure,
  goal: `≥ ${goal.toLocaleString('en')}`,
  held: figure.value >= goal,
});
export const atMost = (goal: number, figure: MeasuredFigure): Goal => ({
  ...figure,
  goal: `≤ ${goal.toLocaleString('en')}`,
  held: figure.value <= goal,
});
export const below = (goal: number, figure: MeasuredFigure): Goal => ({
  ...figure,
  goal: `< ${goal.toLocaleString('en')}`,
  held: figure.value < goal,
});
