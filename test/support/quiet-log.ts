import type { DatabaseLog } from '../../src/platform/database/database.ts';

export const quietLog: DatabaseLog = { info: () => {}, warn: () => {} };
