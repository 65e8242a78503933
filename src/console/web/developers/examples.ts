import type { PlainKey } from '../texts/catalogue.ts';

type ExampleInput = { origin: string; assistantId: string };
export type CodeExample = {
  value: string;
  label: PlainKey;
  key: 'user' | 'organization';
  textFor: (input: ExampleInput) => string;
};

const question = 'What is in your files?';
const authorizationHeader = '-H "Authorization: Bearer $ATRIUM_KEY"';
const jsonHeader = "-H 'Content-Type: application/json'";
const messages = `[{ role: 'user', content: '${question}' }]`;

/**
 * Example programs. They work unchanged when the environment variable ATRIUM_KEY contains the key.
 */
export const examples: readonly CodeExample[] = [
  {
    value: 'curl',
    label: 'developers.curl',
    key: 'user',
    textFor: ({ origin, assistantId }) =>
      [
        `curl '${origin}/api/assistants/v1/${assistantId}/run'`,
        authorizationHeader,
        jsonHeader,
        `--data-binary '{"messages":[{"role":"user","content":"${question}"}]}'`,
      ].join(' \\\n  '),
  },
  {
    value: 'stream',
    label: 'developers.curlStreaming',
    key: 'user',
    textFor: ({ origin, assistantId }) =>
      [
        `curl -N '${origin}/api/assistants/v1/${assistantId}/run'`,
        authorizationHeader,
        jsonHeader,
        "-H 'Accept: text/event-stream'",
        `--data-binary '{"messages":[{"role":"user","content":"${question}"}]}'`,
      ].join(' \\\n  '),
  },
  {
    value: 'javascript',
    label: 'developers.javaScript',
    key: 'user',
    textFor: ({
      origin,
      assistantId,
    }) => `const response = await fetch('${origin}/api/assistants/v1/${assistantId}/run', { method: 'POST',
  headers: { authorization: \`Bearer \${process.env.ATRIUM_KEY}\`, 'content-type': 'application/json' },
  body: JSON.stringify({ messages: ${messages} }),
});
const { text, citations } = await response.json();
console.log(text, citations);
`,
  },
  {
    value: 'openai-javascript',
    label: 'developers.openAiJavaScript',
    key: 'user',
    textFor: ({ origin, assistantId }) => `import OpenAI from 'openai';

const client = new OpenAI({ baseURL: '${origin}/api/openai/v1', apiKey: process.env.ATRIUM_KEY });
const { choices } = await client.chat.completions.create({ model: '${assistantId}',
  messages: ${messages},
});
console.log(choices[0].message.content);
`,
  },
  {
    value: 'openai-python',
    label: 'developers.openAiPython',
    key: 'user',
    textFor: ({ origin, assistantId }) => `import os
from openai import OpenAI

client = OpenAI(base_url="${origin}/api/openai/v1", api_key=os.environ["ATRIUM_KEY"])
answer = client.chat.completions.create(
    model="${assistantId}",
    messages=[{"role": "user", "content": "${question}"}],
)
print(answer.choices[0].message.content)
`,
  },
  {
    value: 'graphql',
    label: 'developers.graphql',
    key: 'user',
    textFor: ({ origin }) =>
      [
        `curl '${origin}/graphql'`,
        authorizationHeader,
        jsonHeader,
        `--data-binary '{"query":"{ viewer { kind } assistants { nodes { id name } } }"}'`,
      ].join(' \\\n  '),
  },
  {
    value: 'users',
    label: 'developers.userManagement',
    key: 'organization',
    textFor: ({ origin }) =>
      [`curl '${origin}/api/user-management/v1/users?pageSize=20'`, authorizationHeader].join(
        ' \\\n  ',
      ),
  },
];
