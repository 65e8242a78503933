import { isTracing, runInSpan, startSpan } from '../platform/telemetry/spans.ts';
import { pathTemplate } from './names.ts';

/** Sends a request to the vault or the vector database in a span of the current trace. */
export function inClientSpan<Answer extends { status: number }>(
  { method, path }: { method: string; path: string },
  base: string,
  send: () => Promise<Answer>,
): Promise<Answer> {
  if (!isTracing()) return send();
  const template = pathTemplate(path);
  const { hostname, port, protocol } = new URL(base);
  const span = startSpan({
    name: `${method} ${template}`,
    kind: 'client',
    attributes: {
      'http.request.method': method,
      'url.template': template,
      'server.address': hostname,
      'server.port': Number(port) || (protocol === 'https:' ? 443 : 80),
    },
  });
  return runInSpan(span, async () => {
    const answer = await send();
    span?.set({ 'http.response.status_code': answer.status });
    if (answer.status >= 400) span?.fail(String(answer.status));
    return answer;
  });
}
