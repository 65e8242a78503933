import * as scrypt from 'better-auth/crypto';

// A hash takes 32 MB and a core for 0.1 s. More than two at a time would keep every other request waiting.
const atOnceMax = 2;
let running = 0;
const waiting: (() => void)[] = [];

export const hashPassword = (password: string): Promise<string> => inTurn(() => scrypt.hashPassword(password));

export const verifyPassword = (given: { hash: string; password: string }): Promise<boolean> => inTurn(() => scrypt.verifyPassword(given));

async function inTurn<T>(work: () => Promise<T>): Promise<T> {
  if (running >= atOnceMax) await new Promise<void>((resolve) => waiting.push(resolve));
  else running += 1;
  try {
    return await work();
  } finally {
    // The place goes straight to the next in line, so that nobody can slip in between.
    const next = waiting.shift();
    if (next) next();
    else running -= 1;
  }
}
