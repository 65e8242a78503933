import { createHash } from 'node:crypto';
import { promisify } from 'node:util';
import { gzip } from 'node:zlib';
import { Response } from '@whatwg-node/fetch';
import { prefers } from '../http/accept.ts';

type GraphiqlFile = { path: string; type: string; gzipped: Uint8Array<ArrayBuffer> };
type GraphiqlFiles = { page: string; byPath: ReadonlyMap<string, GraphiqlFile> };

const defaultQuery = `# Ctrl+Enter (⌘+Enter) runs this query.
# Most others need a session of the console in
# this browser, or a key in the tab "Headers":
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

// The editor uses style attributes, and its icons and fonts are `data:` URLs in the style sheet. The
// icon of the page is a file.
const pagePolicy =
  "default-src 'none'; script-src 'self'; worker-src 'self'; connect-src 'self'; style-src 'self' 'unsafe-inline'; img-src 'self' data:; font-src data:; base-uri 'none'; form-action 'none'; frame-ancestors 'none'";

/**
 * Serves GraphiQL without external resources: the page at /graphql and its files below it. Returns
 * undefined for any other request.
 */
export function createGraphiql() {
  let files: Promise<GraphiqlFiles> | undefined;

  return async (request: Request, url: URL): Promise<Response | undefined> => {
    if (request.method !== 'GET') return undefined;
    // GraphiQL writes its query into the address, so loading the page again asks for a query, too.
    const wantsPage =
      /^\/graphql\/?$/.test(url.pathname) &&
      !['documentId', 'extensions'].some((name) => url.searchParams.has(name)) &&
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
  const style = await createFile('text/css', 'css', css + narrowStyle);
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

// On a phone the response is below the editor.
const narrowStyle = `
@media (max-width: 700px) {
  .graphiql-container .graphiql-sidebar { padding: 4px; width: auto; }
  .graphiql-container .graphiql-main { flex-direction: column; }
  .graphiql-container .graphiql-sessions { margin: 4px; }
  .graphiql-container .graphiql-sessions > :has(> .graphiql-editors) { flex-direction: column; }
  .graphiql-container .graphiql-editors { flex: 3 1 0 !important; min-height: 0; }
  .graphiql-container .graphiql-response { flex: 2 1 0 !important; min-height: 0; }
  .graphiql-container .graphiql-editors + .graphiql-horizontal-drag-bar { display: none; }
  .graphiql-container .graphiql-logo { display: none; }
}
`;

/**
 * GraphiQL keeps the tabs of a visit, but opens an empty one in the next visit when none of them
 * has the stored query, which it stores only after a change. So the query of the active tab is
 * stored before GraphiQL starts.
 */
const restoreActiveTab = `
try {
  const { tabs, activeTabIndex } = JSON.parse(localStorage.getItem('graphiql:tabState'));
  for (const name of ['query', 'variables'])
    localStorage.setItem('graphiql:' + name, tabs[activeTabIndex][name] ?? '');
} catch {
  // A first visit, or a browser without storage.
}
`;

// GraphiQL shows the stack of an error in the response. Without a limit there is no stack.
const hideStacks = 'Error.stackTraceLimit = undefined;';

const scriptOf = (js: string, workers: Record<string, string>) => `${hideStacks}${restoreActiveTab}
self.MonacoEnvironment = { globalAPI: false, getWorkerUrl: (_, label) => (${JSON.stringify(workers)})[label] };
${js};
YogaGraphiQL.renderYogaGraphiQL(document.querySelector('#root'), ${JSON.stringify(options)});
`;

const pageOf = (style: string, script: string) => `<!doctype html>
<html lang="en">
  <head>
    <meta charset="utf-8">
    <meta name="viewport" content="width=device-width, initial-scale=1">
    <title>${options.title}</title>
    <link rel="icon" href="/api/docs/icon.svg" type="image/svg+xml">
    <link rel="stylesheet" href="${style}">
  </head>
  <body class="no-focus-outline">
    <noscript>GraphiQL needs JavaScript.</noscript>
    <div id="root"></div>
    <script src="${script}"></script>
  </body>
</html>
`;
