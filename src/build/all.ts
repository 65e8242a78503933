import { buildReader } from './reader.ts';
import { buildServer } from './server.ts';

// All that is built from the sources before the server starts. Nothing of it is built again until
// its sources change.
await buildReader();
await buildServer();
// Sets NODE_ENV for itself, so it comes last.
await import('./console.ts');
