import { readdirSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { loadTools } from '../../../src/modules/runs/load-tools.ts';
import { type ChatRequest, modelProvider } from '../../support/model-provider.ts';
import { runOf } from '../../support/runs.ts';

const files = readdirSync(new URL('../../../src/modules/runs/tools/', import.meta.url));

describe('The tools of a run', () => {
  it('Every file in tools/ exports one tool and has its name', async () => {
    const names = (await loadTools()).map(({ name }) => `${name.replaceAll('_', '-')}.ts`);
    expect(names).toEqual(
      expect.arrayContaining(['calculate.ts', 'current-time.ts', 'search-knowledge.ts']),
    );
    expect(names.toSorted()).toEqual(files.toSorted());
  });

  it('Every tool is offered to the model with its description and its parameters', async () => {
    const requests: ChatRequest[] = [];
    const provider = await modelProvider((request) => {
      requests.push(request);
      return { text: 'Hello.' };
    });
    await runOf({ settings: { MODEL_BASE_URL: provider.baseUrl, MODEL_DEFAULT: 'large' } });
    await provider.close();
    expect(requests[0]?.tools).toHaveLength(files.length);
    for (const tool of requests[0]?.tools ?? []) {
      expect(tool).toMatchObject({
        type: 'function',
        function: {
          description: expect.stringMatching(/.{20}/),
          parameters: { type: 'object', additionalProperties: false },
        },
      });
    }
  });
});
