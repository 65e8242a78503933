declare module 'pino-roll' {
  import type { EventEmitter } from 'node:events';
  import type { DestinationStream } from 'pino';

  type RollOptions = {
    file: string;
    extension: string;
    frequency: 'daily';
    dateFormat: string;
    size: string;
    limit: { count: number; removeOtherLogFiles: boolean };
    symlink: boolean;
    mode: number;
  };
  const roll: (options: RollOptions) => Promise<DestinationStream & EventEmitter & { end(): void }>;
  export = roll;
}
