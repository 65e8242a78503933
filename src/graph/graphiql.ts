import { createHash } from 'node:crypto';
import { promisify } from 'node:util';
import { gzip } from 'node:zlib';
import { Response } from '@whatwg-node/fetch';
import { prefers } from '../platform/accept.ts';

type File = { path: string; type: string; zipped: Uint8Array<ArrayBuffer> };
type Files = { page: string; byPath: ReadonlyMap<string, File> };

const welcome = `# Ctrl+Enter (⌘+Enter) asks this question.
# It needs no key; most others do. Yours belongs
# into the tab "Headers" below:
#   { "Authorization": "Bearer YOUR_KEY" }
# The book at the top left lists all questions.

query WhatCanBeAsked {
  __schema {
    queryType { fields { name description } }
    mutationType { fields { name description } }
  }
}
`;

// Headers are not kept: a key does not stay behind in the browser.
const options = {
  title: 'Atrium GraphiQL',
  endpoint: '/graphql',
  defaultQuery: welcome,
  defaultEditorToolsVisibility: 'headers',
  shouldPersistHeaders: false,
};

// The editor keeps its measures in style attributes, and its icons and fonts are data: addresses in
// its style sheet.
const pagePolicy =
  "default-src 'none'; script-src 'self'; worker-src 'self'; connect-src 'self'; style-src 'self' 'unsafe-inline'; img-src data:; font-src data:; base-uri 'none'; form-action 'none'; frame-ancestors 'none'";

/**
 * GraphiQL for browsers, from this process alone: its page at /graphql, its files below it.
 * Anything else is not its concern.
 */
export function createGraphiql() {
  let files: Promise<Files> | undefined;

  return async (request: Request, url: URL): Promise<Response | undefined> => {
    if (request.method !== 'GET') return undefined;
    const wantsPage =
      /^\/graphql\/?$/.test(url.pathname) &&
      !url.searchParams.has('query') &&
      prefers(request.headers.get('accept'), 'text/html', 'application/json');
    if (!wantsPage && !url.pathname.startsWith('/graphql/graphiql-')) return undefined;
    // Nine megabytes, read when the first developer comes.
    files ??= loadFiles();
    const { page, byPath } = await files;
    if (wantsPage) return new Response(page, { headers: pageHeaders });
    const file = byPath.get(url.pathname);
    return (
      file &&
      new Response(file.zipped, {
        headers: { ...fileHeaders, 'content-type': `${file.type}; charset=utf-8` },
      })
    );
  };
}

const pageHeaders = {
  'content-type': 'text/html; charset=utf-8',
  'content-security-policy': pagePolicy,
  'referrer-policy': 'no-referrer',
};

// The name changes with the content. Every browser that runs GraphiQL unpacks gzip.
const fileHeaders = {
  'cache-control': 'public, max-age=31536000, immutable',
  'content-encoding': 'gzip',
};

async function loadFiles(): Promise<Files> {
  const { js, css, editorWorkerService, jsonWorker, graphqlWorker } = await import(
    '@graphql-yoga/render-graphiql/graphiql'
  );
  const style = await createFile('text/css', 'css', css);
  const workers = {
    editorWorkerService: await createFile('text/javascript', 'js', editorWorkerService),
    json: await createFile('text/javascript', 'js', jsonWorker),
    graphql: await createFile('text/javascript', 'js', graphqlWorker),
  };
  const paths = Object.fromEntries(
    Object.entries(workers).map(([label, { path }]) => [label, path]),
  );
  const script = await createFile('text/javascript', 'js', scriptOf(js, paths));
  const files = [style, script, ...Object.values(workers)];
  return {
    page: pageOf(style.path, script.path),
    byPath: new Map(files.map((file) => [file.path, file])),
  };
}

async function createFile(type: string, ending: string, text: string): Promise<File> {
  const hash = createHash('sha256').update(text).digest('hex').slice(0, 16);
  return {
    path: `/graphql/graphiql-${hash}.${ending}`,
    type,
    zipped: new Uint8Array(await promisify(gzip)(text)),
  };
}

const scriptOf = (
  js: string,
  workers: Record<string, string>,
) => `self.MonacoEnvironment = { globalAPI: false, getWorkerUrl: (_, label) => (${JSON.stringify(workers)})[label] };
${js};
YogaGraphiQL.renderYogaGraphiQL(document.querySelector('#root'), ${JSON.stringify(options)});
`;

const pageOf = (style: string, script: string) => `<!doctype html>
<html lang="en">
  <head>
    <meta charset="utf-8">
    <title>${options.title}</title>
    <link rel="icon" href="data:,">
    <link rel="stylesheet" href="${style}">
  </head>
  <body class="no-focus-outline">
    <noscript>GraphiQL needs JavaScript.</noscript>
    <div id="root"></div>
    <script src="${script}"></script>
  </body>
</html>
`;
