import { readFileSync } from 'node:fs';

const dockerfile = readFileSync(new URL('../../Dockerfile', import.meta.url), 'utf8');

/** The environment variables with which the image sets the memory allocator of glibc. */
export const allocatorSettings: Readonly<Record<string, string>> = Object.fromEntries(
  [...dockerfile.matchAll(/\b(MALLOC_\w+)=(\S+)/g)].map(([, name = '', value = '']) => [
    name,
    value,
  ]),
);
