import { describe, expect, it } from 'vitest';
import { z } from 'zod';
import {
  idempotentTools,
  type ToolResult,
} from '../../../src/modules/runs/durable/idempotent-tools.ts';
import { type FoundPassage, Passages } from '../../../src/modules/runs/passages.ts';
import { defineTool, type ToolContext, ToolError } from '../../../src/modules/runs/tool.ts';
import { passage } from '../../support/runs.ts';

const found = passage('Employees get 30 days of vacation.');

function toolsWith(stored = new Map<string, ToolResult>(), step = 1) {
  const calls: { input: unknown; token: string | undefined }[] = [];
  const passages = new Passages();
  const context: ToolContext = {
    clock: () => new Date(0),
    search: async () => [found],
    present: (all: readonly FoundPassage[]) =>
      all.map((one) => `[${passages.add(one).number}]`).join(),
  };
  const order = defineTool({
    name: 'order',
    description: 'Orders something.',
    input: z.object({ what: z.string(), count: z.number() }),
    run: (input, { present, idempotencyToken }) => {
      calls.push({ input, token: idempotencyToken });
      if (input.count === 0) throw new ToolError('Nothing to order');
      if (input.count < 0) throw new Error('the shop is closed');
      return `ordered ${input.what} ${present([found])}`;
    },
  });
  const [tool] = idempotentTools([order], {
    runId: 'run',
    step: () => step,
    passages,
    stored,
    save: async (token, result) => void stored.set(token, result),
  });
  if (!tool) throw new Error('there is no tool');
  return { calls, stored, call: (input: unknown) => tool.run(input, context) };
}

describe('A tool of a durable run', () => {
  it('A repeated call is answered from the store, and the tool runs once', async () => {
    const first = toolsWith();
    expect(await first.call({ what: 'tea', count: 1 })).toBe('ordered tea [1]');
    const second = toolsWith(first.stored);
    expect(await second.call({ count: 1, what: 'tea' })).toBe('ordered tea [1]');
    expect(second.calls).toEqual([]);
    expect([...first.stored.values()]).toMatchObject([{ passages: [{ number: 1 }] }]);
  });

  it('Two equal calls at the same moment run once, and the tool gets the token under which the result is stored', async () => {
    const { call, calls, stored } = toolsWith();
    const input = { what: 'tea', count: 2 };
    expect(await Promise.all([call(input), call(input)])).toEqual([
      'ordered tea [1]',
      'ordered tea [1]',
    ]);
    expect(calls.map(({ token }) => token)).toEqual([...stored.keys()]);
  });

  it('Another input and another step are other calls', async () => {
    const first = toolsWith();
    await first.call({ what: 'tea', count: 1 });
    await first.call({ what: 'tea', count: 2 });
    const next = toolsWith(first.stored, 2);
    await next.call({ what: 'tea', count: 1 });
    expect(first.calls).toHaveLength(2);
    expect(next.calls).toHaveLength(1);
  });

  it('An error for the model is repeated like a result, and an unexpected error is not stored', async () => {
    const first = toolsWith();
    await expect(first.call({ what: 'tea', count: 0 })).rejects.toThrow(ToolError);
    await expect(first.call({ what: 'tea', count: -1 })).rejects.toThrow('the shop is closed');
    const second = toolsWith(first.stored);
    await expect(second.call({ what: 'tea', count: 0 })).rejects.toThrow('Nothing to order');
    await expect(second.call({ what: 'tea', count: -1 })).rejects.toThrow('the shop is closed');
    expect(second.calls).toHaveLength(1);
  });
});
