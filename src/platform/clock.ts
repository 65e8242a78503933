/** The time, handed to every rule that needs it, so that a test can move it. */
export type Clock = () => Date;

export const systemClock: Clock = () => new Date();
