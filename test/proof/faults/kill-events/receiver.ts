import { appendFileSync } from 'node:fs';
import { createServer } from 'node:http';

// A receiver of webhooks in a process of its own, which the proof kills. It refuses a third of the
// requests: of each event half of the first tries, because the time until the next try grows
// threefold with each failure. It writes what it gets to its file before it answers, so a killed
// receiver has recorded everything that it has accepted.

const [port, file = ''] = process.argv.slice(2);
const refused = new Set<string>();

createServer((request, response) => {
  let text = '';
  request.setEncoding('utf8');
  request.on('data', (chunk: string) => {
    text += chunk;
  });
  request.on('end', () => {
    const { id, type, data } = JSON.parse(text);
    const isRefused = !refused.has(id) && Math.random() < 1 / 2;
    if (isRefused) refused.add(id);
    appendFileSync(file, `${JSON.stringify({ id, type, team: data.resourceId, isRefused })}\n`);
    response.writeHead(isRefused ? 500 : 204).end();
  });
}).listen(Number(port), '127.0.0.1', () => console.log('listening'));
