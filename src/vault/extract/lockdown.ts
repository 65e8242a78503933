import module, { registerHooks } from 'node:module';

// Runs first in the process that reads a document, before any parser code is loaded. Node's
// permission model already denies files, child processes, threads and native addons. It does not
// deny the network before Node 25, and it never denies signals, so this file removes access to
// both: a compromised parser gets only the Node modules listed below. This protects against
// JavaScript code. Against a vulnerability in V8 itself only the limits of the container help.

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

function deny(what: string): never {
  throw Object.assign(new Error(`${what} is not available to the reader of a document`), {
    code: 'ERR_ACCESS_DENIED',
  });
}

const withoutNodePrefix = (name: string): string => name.replace(/^node:/, '');

registerHooks({
  resolve(specifier, context, next) {
    const resolved = next(specifier, context);
    if (resolved.url.startsWith('node:') && !builtinsAllowed.has(withoutNodePrefix(resolved.url)))
      deny(specifier);
    return resolved;
  },
});
// Hooks that are registered later would run before these, so registering is disabled.
for (const name of [
  'registerHooks',
  'register',
  'syncBuiltinESMExports',
  'runMain',
  '_initPaths',
]) {
  Object.defineProperty(module, name, {
    value: () => deny(name),
    configurable: false,
    writable: false,
  });
}

const getBuiltinModule = process.getBuiltinModule.bind(process);
const replacements: Record<string, unknown> = {
  getBuiltinModule: (name: string) =>
    builtinsAllowed.has(withoutNodePrefix(String(name))) ? getBuiltinModule(name) : undefined,
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
for (const name of signalsAndHandles) replacements[name] = () => deny(`process.${name}`);
// Each of these streams is a socket, whose prototype gives access to other sockets.
for (const name of ['stdin', 'stdout', 'stderr', 'openStdin'])
  replacements[name] = Object.freeze({ fd: -1, write: () => true });
for (const [name, value] of Object.entries(replacements))
  Object.defineProperty(process, name, { value, configurable: false, writable: false });

for (const name of ['fetch', 'WebSocket', 'EventSource']) {
  // Redefining a property that Node loads when it is needed would load it.
  Reflect.deleteProperty(globalThis, name);
  Object.defineProperty(globalThis, name, {
    value: undefined,
    configurable: false,
    writable: false,
  });
}
// Output of libraries could quote the document, and nothing reads it.
for (const name of ['log', 'info', 'warn', 'error', 'debug', 'trace'] as const)
  console[name] = () => {};
