import { closeCodeCache } from './code-cache.ts';
import './lockdown.ts';

// The first code in a process that sandbox.ts starts: it removes access to the network and signals,
// loads what reads documents, removes access to the compiled code, and then runs the program named
// in the arguments.
const [, , program = '', codeDirectory = ''] = process.argv;
await import('./read-request.ts');
closeCodeCache(codeDirectory);
await import(program);
