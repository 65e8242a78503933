import module, { registerHooks } from 'node:module';

const noTerminal = new URL('./no-terminal.ts', import.meta.url).href;

// Runs first in the process that reads a document, before any code of a parser is loaded. Node's
// permission model already refuses files, child processes, threads and native addons. Before Node
// 25 it does not refuse the network, and it never refuses signals, so the ways to them are taken
// away here: a parser that was taken over gets only the modules of Node that are named below. This
// is a barrier for JavaScript. Against a fault in V8 itself only the limits of the container help.

const builtinsAllowed = new Set([
  ...[
    'assert',
    'async_hooks',
    'buffer',
    'constants',
    'crypto',
    'events',
    'fs',
    'fs/promises',
    'path',
    'path/posix',
    'perf_hooks',
    'process',
  ],
  ...[
    'querystring',
    'stream',
    'stream/promises',
    'stream/web',
    'string_decoder',
    'timers',
    'timers/promises',
    'url',
    'util',
    'util/types',
    'zlib',
  ],
]);

function refuse(what: string): never {
  throw Object.assign(new Error(`${what} is not available to the reader of a document`), {
    code: 'ERR_ACCESS_DENIED',
  });
}

const bare = (name: string): string => name.replace(/^node:/, '');

registerHooks({
  resolve(specifier, context, next) {
    if (bare(specifier) === 'tty') return { url: noTerminal, shortCircuit: true };
    const resolved = next(specifier, context);
    if (resolved.url.startsWith('node:') && !builtinsAllowed.has(bare(resolved.url)))
      refuse(specifier);
    return resolved;
  },
});
// Hooks that are added later would run before these.
for (const name of [
  'registerHooks',
  'register',
  'syncBuiltinESMExports',
  'runMain',
  '_initPaths',
]) {
  Object.defineProperty(module, name, {
    value: () => refuse(name),
    configurable: false,
    writable: false,
  });
}

const getBuiltinModule = process.getBuiltinModule.bind(process);
const replacements: Record<string, unknown> = {
  getBuiltinModule: (name: string) =>
    builtinsAllowed.has(bare(String(name))) ? getBuiltinModule(name) : undefined,
};
const signalsAndHandles = [
  'kill',
  '_kill',
  '_debugProcess',
  '_debugEnd',
  '_linkedBinding',
  'binding',
  'dlopen',
  'execve',
  '_getActiveHandles',
];
for (const name of signalsAndHandles) replacements[name] = () => refuse(`process.${name}`);
// Each is a socket, which knows the way to others.
for (const name of ['stdin', 'stdout', 'stderr', 'openStdin'])
  replacements[name] = Object.freeze({ fd: -1, write: () => true });
for (const [name, value] of Object.entries(replacements))
  Object.defineProperty(process, name, { value, configurable: false, writable: false });

for (const name of ['fetch', 'WebSocket', 'EventSource'])
  Object.defineProperty(globalThis, name, {
    value: undefined,
    configurable: false,
    writable: false,
  });
// What a library prints may quote the document, and there is nobody to read it.
for (const name of ['log', 'info', 'warn', 'error', 'debug', 'trace'] as const)
  console[name] = () => {};
