// The part of Bun that elysia.bun.ts uses.
declare module 'bun' {
  export class SQL {
    constructor(options: { url: string; max: number; connection: Record<string, string> });
    unsafe<Rows>(text: string, values: unknown[]): Promise<Rows>;
  }
}
