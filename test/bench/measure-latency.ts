import { Agent, get } from 'node:http';

const requestsMax = 400;
const warmUpRequests = 100;
const secondsMax = 5;

/**
 * Sends requests over one connection, one after the other. Returns the number of requests and the
 * milliseconds of those after the warm-up.
 */
export async function measureLatency(
  url: string,
  key: string,
): Promise<{ requests: number; times: number[] }> {
  const agent = new Agent({ keepAlive: true, maxSockets: 1 });
  const startedAt = performance.now();
  const times: number[] = [];
  try {
    while (times.length < requestsMax && performance.now() - startedAt < secondsMax * 1000)
      times.push(await timeRequest(url, key, agent));
  } finally {
    agent.destroy();
  }
  return {
    requests: times.length,
    times: times.slice(Math.min(warmUpRequests, Math.floor(times.length / 4))),
  };
}

function timeRequest(url: string, key: string, agent: Agent): Promise<number> {
  const sentAt = performance.now();
  return new Promise((resolve, reject) => {
    get(url, { agent, headers: { authorization: `Bearer ${key}` } }, (response) => {
      if (response.statusCode !== 200)
        reject(new Error(`${url} answered with ${response.statusCode}`));
      response
        .resume()
        .on('end', () => resolve(performance.now() - sentAt))
        .on('error', reject);
    }).on('error', reject);
  });
}
