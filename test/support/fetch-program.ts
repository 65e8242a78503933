import type { FetchRequest } from './fetch-in-other-process.ts';

// A client in a separate process. In the event loop of the server it would read the response before
// it could meet a reset connection.
process.on('message', async ({ times, ...request }: FetchRequest) => {
  const outcomes: (number | string)[] = [];
  for (let round = 0; round < times; round += 1) outcomes.push(await statusOf(request));
  process.send?.(outcomes);
});

async function statusOf({
  url,
  method,
  headers,
  body: { kind, bytes },
}: Omit<FetchRequest, 'times'>): Promise<number | string> {
  try {
    const answer = await fetch(url, {
      method,
      headers,
      body: bodyOf(kind, bytes),
      duplex: 'half',
    } as RequestInit);
    await answer.text();
    return answer.status;
  } catch (error) {
    return String(Object(error).cause?.code ?? error);
  }
}

function bodyOf(kind: FetchRequest['body']['kind'], bytes: number): BodyInit {
  if (kind === 'text') return `{"text":"${'x'.repeat(bytes)}"}`;
  const blob = new Blob([new Uint8Array(bytes)]);
  if (kind === 'bytes') return blob;
  const form = new FormData();
  form.append('file', blob, 'large.bin');
  // A stream has no known length.
  return kind === 'form' ? form : blob.stream();
}
