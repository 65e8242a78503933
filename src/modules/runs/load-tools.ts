import { readdirSync } from 'node:fs';
import { Tool } from './tool.ts';

const folder = new URL('./tools/', import.meta.url);

/**
 * Every tool that a file of tools/ exports. A file without one, or two tools of one name, stop the
 * start.
 */
export async function loadTools(): Promise<Tool[]> {
  const files = readdirSync(folder).toSorted();
  const tools = await Promise.all(
    files.map(async (file) => {
      const exported: Record<string, unknown> = await import(new URL(file, folder).href);
      const tool = Object.values(exported).find((value) => value instanceof Tool);
      if (!tool) throw new Error(`tools/${file} exports no tool`);
      return tool;
    }),
  );
  const names = new Set(tools.map(({ name }) => name));
  if (names.size < tools.length) throw new Error('Two tools have the same name');
  return tools;
}
