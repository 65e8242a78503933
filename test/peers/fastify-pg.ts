import { servePeer } from './peer.ts';
import { findKey, query } from './pool.ts';
import { createUserReads } from './user-reads.ts';

await servePeer({ ...createUserReads(query), findKey });
