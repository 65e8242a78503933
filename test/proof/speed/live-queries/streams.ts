import { createHash } from 'node:crypto';

/** A query of the dashboard, and whether a renamed campaign changes its result. */
export type DashboardQuery = { text: string; showsCampaigns: boolean };

export const documentHash = (text: string): string =>
  createHash('sha256').update(text).digest('hex');

/** Different documents; half of them show the newest campaign. */
export const dashboardQueries = (count: number): DashboardQuery[] =>
  Array.from({ length: count }, (_, index) =>
    index % 2 === 0
      ? {
          text: `query Campaigns${index} { campaigns(pageSize: ${1 + (index % 20)}) { nodes { id name isActive completedRedemptionsCount } totalCount } }`,
          showsCampaigns: true,
        }
      : {
          text: `query People${index} { users(pageSize: ${1 + (index % 20)}) { nodes { id email firstName teams { id name } } totalCount } }`,
          showsCampaigns: false,
        },
  );

/** Opens this many live queries, and records when an event with an expected text arrives. */
export async function openStreams(
  address: string,
  key: string,
  queries: readonly DashboardQuery[],
  count: number,
) {
  const controller = new AbortController();
  const { signal } = controller;
  let expected: { text: string; arrived: (ms: number) => void } | undefined;
  let events = 0;

  async function open({ text }: DashboardQuery): Promise<void> {
    const response = await fetch(`${address}/graphql`, {
      method: 'POST',
      headers: {
        accept: 'text/event-stream',
        authorization: `Bearer ${key}`,
        'content-type': 'application/json',
      },
      body: JSON.stringify({ documentId: `sha256:${documentHash(text)}` }),
      signal,
    });
    if (response.status !== 200 || !response.body)
      throw new Error(`a live query is answered with ${response.status}`);
    const reader = response.body.getReader();
    await reader.read();
    void read(reader).catch(() => undefined);
  }
  async function read(reader: ReadableStreamDefaultReader<Uint8Array>): Promise<void> {
    const decoder = new TextDecoder();
    let received = '';
    for (let next = await reader.read(); !next.done; next = await reader.read()) {
      const blocks = (received + decoder.decode(next.value, { stream: true })).split('\n\n');
      received = blocks.pop() ?? '';
      for (const block of blocks) {
        if (!block.startsWith('event: next')) continue;
        events += 1;
        if (expected && block.includes(expected.text)) expected.arrived(performance.now());
      }
    }
  }

  for (let opened = 0; opened < count; opened += queries.length)
    await Promise.all(queries.slice(0, count - opened).map(open));
  return {
    events: () => events,
    /** Calls `arrived` for each event that contains the text. */
    expect(text: string, arrived: (ms: number) => void): void {
      expected = { text, arrived };
    },
    close: () => controller.abort(),
  };
}
