import type { DatabaseLog } from '../../src/platform/database/database-log.ts';

export const quietLog: DatabaseLog = { info: () => {}, warn: () => {} };
