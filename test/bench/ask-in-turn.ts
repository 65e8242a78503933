import { Agent, get } from 'node:http';

const requestsMax = 400;
const warmRequests = 100;
const secondsMax = 5;

/**
 * Requests over one connection, each sent when the last was answered: how many, and the
 * milliseconds of those after the warm-up.
 */
export async function askInTurn(
  url: string,
  key: string,
): Promise<{ requests: number; times: number[] }> {
  const agent = new Agent({ keepAlive: true, maxSockets: 1 });
  const startedAt = performance.now();
  const times: number[] = [];
  try {
    while (times.length < requestsMax && performance.now() - startedAt < secondsMax * 1000)
      times.push(await ask(url, key, agent));
  } finally {
    agent.destroy();
  }
  return {
    requests: times.length,
    times: times.slice(Math.min(warmRequests, Math.floor(times.length / 4))),
  };
}

function ask(url: string, key: string, agent: Agent): Promise<number> {
  const sentAt = performance.now();
  return new Promise((resolve, reject) => {
    get(url, { agent, headers: { authorization: `Bearer ${key}` } }, (response) => {
      if (response.statusCode !== 200)
        reject(new Error(`${url} was answered with ${response.statusCode}`));
      response
        .resume()
        .on('end', () => resolve(performance.now() - sentAt))
        .on('error', reject);
    }).on('error', reject);
  });
}
