import { embeddedDatabase, serverUrl, testDatabase } from './database.ts';

/** Both databases, for tests of what is written; without a server only the embedded one. */
export const databases = [
  { kind: 'embedded', open: embeddedDatabase },
  ...(serverUrl === undefined ? [] : [{ kind: 'postgres', open: testDatabase }]),
];
