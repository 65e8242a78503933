import { createHash } from 'node:crypto';
import { promisify } from 'node:util';
import { gzip } from 'node:zlib';
import { Response } from '@whatwg-node/fetch';
import { prefers } from '../http/accept.ts';

type GraphiqlFile = { path: string; type: string; gzipped: Uint8Array<ArrayBuffer> };
type GraphiqlFiles = { page: string; byPath: ReadonlyMap<string, GraphiqlFile> };

const defaultQuery = `# Ctrl+Enter (⌘+Enter) runs this query.
# It needs no key, but most queries do. Enter yours
# in the tab "Headers" below:
#   { "Authorization": "Bearer YOUR_KEY" }
# The book icon at the top left lists all queries.

query AvailableOperations {
  __schema {
    queryType { fields { name description } }
    mutationType { fields { name description } }
  }
}
`;

// Headers are not stored, so that no key remains in the browser.
const options = {
  title: 'Atrium GraphiQL',
  endpoint: '/graphql',
  defaultQuery,
  defaultEditorToolsVisibility: 'headers',
  shouldPersistHeaders: false,
};

// The editor uses style attributes, and its icons and fonts are `data:` URLs in the style sheet.
const pagePolicy =
  "default-src 'none'; script-src 'self'; worker-src 'self'; connect-src 'self'; style-src 'self' 'unsafe-inline'; img-src data:; font-src data:; base-uri 'none'; form-action 'none'; frame-ancestors 'none'";

/**
 * Serves GraphiQL without external resources: the page at /graphql and its files below it. Returns
 * undefined for any other request.
 */
export function createGraphiql() {
  let files: Promise<GraphiqlFiles> | undefined;

  return async (request: Request, url: URL): Promise<Response | undefined> => {
    if (request.method !== 'GET') return undefined;
    const wantsPage =
      /^\/graphql\/?$/.test(url.pathname) &&
      !['query', 'documentId', 'extensions'].some((name) => url.searchParams.has(name)) &&
      prefers(request.headers.get('accept'), 'text/html', 'application/json');
    if (!wantsPage && !url.pathname.startsWith('/graphql/graphiql-')) return undefined;
    // Nine megabytes, loaded on first use.
    files ??= loadFiles();
    const { page, byPath } = await files;
    if (wantsPage) return new Response(page, { headers: pageHeaders });
    const file = byPath.get(url.pathname);
    return (
      file &&
      new Response(file.gzipped, {
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

// The file name changes with the content. Every browser that runs GraphiQL supports gzip.
const fileHeaders = {
  'cache-control': 'public, max-age=31536000, immutable',
  'content-encoding': 'gzip',
};

async function loadFiles(): Promise<GraphiqlFiles> {
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

async function createFile(type: string, ending: string, text: string): Promise<GraphiqlFile> {
  const hash = createHash('sha256').update(text).digest('hex').slice(0, 16);
  return {
    path: `/graphql/graphiql-${hash}.${ending}`,
    type,
    gzipped: new Uint8Array(await promisify(gzip)(text)),
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
