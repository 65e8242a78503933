import './lockdown.ts';

// The first code in a process that sandbox.ts starts: it removes access to the network and signals,
// and then runs the program named in the arguments.
const [, , program = ''] = process.argv;
await import(program);
