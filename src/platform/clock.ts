/** The current time. It is passed to every rule that needs it, so that a test can set it. */
export type Clock = () => Date;

export const systemClock: Clock = () => new Date();
