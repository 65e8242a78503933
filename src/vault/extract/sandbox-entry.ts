import './lockdown.ts';

// The first code in a process that sandbox.ts starts: takes the ways out away, then runs the
// program that is named.
const [, , program = ''] = process.argv;
await import(program);
