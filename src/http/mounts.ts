import type { RequestHandler } from './request-context.ts';

/**
 * Finds the handler of a path: the one with the longest prefix that consists of whole segments of
 * the path.
 */
export function createMounts(
  handlersByPrefix: Readonly<Record<string, RequestHandler>>,
): (pathname: string) => RequestHandler | undefined {
  const handlers = new Map(Object.entries(handlersByPrefix));
  const depthMax = Math.max(...[...handlers.keys()].map((prefix) => prefix.split('/').length - 1));
  return (pathname) => {
    let handler: RequestHandler | undefined;
    let end = 0;
    for (let depth = 1; depth <= depthMax && end < pathname.length; depth += 1) {
      const slash = pathname.indexOf('/', end + 1);
      end = slash < 0 ? pathname.length : slash;
      handler = handlers.get(pathname.slice(0, end)) ?? handler;
    }
    return handler;
  };
}
