import { readdirSync } from 'node:fs';
import { Tool } from './tool.ts';

const folder = new URL('./tools/', import.meta.url);

/**
 * Loads the tool of each file in tools/. A file without a tool, and two tools with the same name,
 * are errors that stop the start.
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
