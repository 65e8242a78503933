declare module 's3rver' {
  import type { RequestListener } from 'node:http';

  /** As far as the tests use it. */
  class S3rver {
    constructor(options: {
      directory: string;
      silent: boolean;
      configureBuckets: { name: string; configs: string[] }[];
    });
    configureBuckets(): Promise<void>;
    callback(): RequestListener;
  }
  export = S3rver;
}
