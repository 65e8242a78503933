/** What the inspector of a process with `--inspect` tells of its memory. */
export async function openInspector(
  output: string,
): Promise<{ heapBytes(): Promise<number>; close(): void }> {
  const [address] = /ws:\/\/127\.0\.0\.1:\d+\/[\w-]+/.exec(output) ?? [];
  if (address === undefined) throw new Error('the process has told of no inspector');
  const socket = new WebSocket(address);
  await new Promise((resolve, reject) => {
    socket.addEventListener('open', resolve, { once: true });
    socket.addEventListener('error', reject, { once: true });
  });
  const waiting = new Map<number, (answer: Answer) => void>();
  socket.addEventListener('message', ({ data }) => {
    const answer: Answer = JSON.parse(String(data));
    waiting.get(answer.id)?.(answer);
    waiting.delete(answer.id);
  });
  let asked = 0;
  const ask = (method: string, params: object = {}): Promise<Answer> => {
    asked += 1;
    const id = asked;
    socket.send(JSON.stringify({ id, method, params }));
    return new Promise((resolve) => waiting.set(id, resolve));
  };
  return {
    /** What is in use once everything that nobody holds is gone. */
    async heapBytes() {
      // What the first leaves to finalizers the second finds.
      for (let round = 0; round < 2; round += 1) await ask('HeapProfiler.collectGarbage');
      const { result } = await ask('Runtime.getHeapUsage');
      return result.usedSize ?? 0;
    },
    close: () => socket.close(),
  };
}

type Answer = { id: number; result: { usedSize?: number } };
