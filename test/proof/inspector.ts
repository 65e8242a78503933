type InspectorAnswer = {
  id: number;
  result: { usedSize?: number; result?: { value?: string } };
};

export type Inspector = Awaited<ReturnType<typeof openInspector>>;

/** Connects to the inspector of a process that was started with `--inspect`. */
export async function openInspector(output: string) {
  const [address] = /ws:\/\/127\.0\.0\.1:\d+\/[\w-]+/.exec(output) ?? [];
  if (address === undefined)
    throw new Error('the output of the process contains no inspector address');
  const socket = new WebSocket(address);
  await new Promise((resolve, reject) => {
    socket.addEventListener('open', resolve, { once: true });
    socket.addEventListener('error', () => reject(new Error(`no inspector at ${address}`)), {
      once: true,
    });
  });
  const pendingCommands = new Map<number, (answer: InspectorAnswer) => void>();
  socket.addEventListener('message', ({ data }) => {
    const answer: InspectorAnswer = JSON.parse(String(data));
    pendingCommands.get(answer.id)?.(answer);
    pendingCommands.delete(answer.id);
  });
  let lastId = 0;
  const send = (method: string, params: object = {}): Promise<InspectorAnswer> => {
    lastId += 1;
    const id = lastId;
    socket.send(JSON.stringify({ id, method, params }));
    return new Promise((resolve) => pendingCommands.set(id, resolve));
  };
  return {
    /** The value of an expression that evaluates to JSON; null without a value. */
    async evaluate(expression: string) {
      const { result } = await send('Runtime.evaluate', { expression });
      return JSON.parse(result.result?.value ?? 'null');
    },
    async collectGarbage(): Promise<void> {
      // The second collection frees what the finalizers of the first released.
      for (let round = 0; round < 2; round += 1) await send('HeapProfiler.collectGarbage');
    },
    heapBytes: async (): Promise<number> =>
      (await send('Runtime.getHeapUsage')).result.usedSize ?? 0,
    close: () => socket.close(),
  };
}
