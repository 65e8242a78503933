/** Connects to the inspector of a process started with `--inspect`, to read its heap size. */
export async function openInspector(
  output: string,
): Promise<{ heapBytes(): Promise<number>; close(): void }> {
  const [address] = /ws:\/\/127\.0\.0\.1:\d+\/[\w-]+/.exec(output) ?? [];
  if (address === undefined)
    throw new Error('the output of the process contains no inspector address');
  const socket = new WebSocket(address);
  await new Promise((resolve, reject) => {
    socket.addEventListener('open', resolve, { once: true });
    socket.addEventListener('error', reject, { once: true });
  });
  const pendingCommands = new Map<number, (answer: InspectorAnswer) => void>();
  socket.addEventListener('message', ({ data }) => {
    const answer: InspectorAnswer = JSON.parse(String(data));
    pendingCommands.get(answer.id)?.(answer);
    pendingCommands.delete(answer.id);
  });
  let lastId = 0;
  const sendCommand = (method: string, params: object = {}): Promise<InspectorAnswer> => {
    lastId += 1;
    const id = lastId;
    socket.send(JSON.stringify({ id, method, params }));
    return new Promise((resolve) => pendingCommands.set(id, resolve));
  };
  return {
    /** The heap in use after garbage collection. */
    async heapBytes() {
      // The second collection frees what the finalizers of the first released.
      for (let round = 0; round < 2; round += 1) await sendCommand('HeapProfiler.collectGarbage');
      const { result } = await sendCommand('Runtime.getHeapUsage');
      return result.usedSize ?? 0;
    },
    close: () => socket.close(),
  };
}

type InspectorAnswer = { id: number; result: { usedSize?: number } };
