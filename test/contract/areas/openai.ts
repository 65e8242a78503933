import { createAssistant } from '../assistant.ts';
import { filledText, hasItem, integer, listOf, matching, objectWith } from '../matchers.ts';
import type { Suite } from '../suite.ts';

const prefix = '/api/openai/v1';
const messages = [{ role: 'user', content: 'What is the weather like?' }];
const errorShape = { message: filledText, type: filledText };

/** The API for clients of OpenAI: decision D50. */
export async function checkOpenAi(suite: Suite): Promise<void> {
  const { check, send } = suite;
  const api = suite.api('user-key', 'the OpenAI API')?.under(prefix);
  const userApi = suite.api('user-key', 'the OpenAI API');
  if (!api || !userApi) return;
  const model = await createAssistant(suite, userApi, `${suite.prefix} openai`);
  const complete = (body: object) => api.post('/chat/completions', { model, messages, ...body });

  const models = await api.get('/models');
  check('D50 GET /models is a list', models, [models.status, models.at('object')], [200, 'list']);
  check(
    'D50 GET /models: each has id',
    models,
    models.listAt('data').map((item) => Object(item).id),
    listOf(filledText),
  );
  check(
    'D50 GET /models: each is a model',
    models,
    models.listAt('data').map((item) => Object(item).object),
    listOf(matching(/^model$/)),
  );
  check(
    'D50 GET /models has the assistant',
    models,
    models.listAt('data').map((item) => Object(item).id),
    hasItem(model),
  );
  const single = await api.get(`/models/${model}`);
  check(
    'D50 GET /models/:model is the assistant',
    single,
    [single.status, single.at('id')],
    [200, model],
  );

  const answer = await complete({});
  check('D50 POST /chat/completions answers 200', answer, answer.status, 200);
  for (const [field, matcher] of Object.entries({
    id: filledText,
    created: integer,
    choices: listOf(objectWith({ index: integer })),
  }))
    check(
      `D50 POST /chat/completions has ${field}, ${matcher.words}`,
      answer,
      answer.at(field),
      matcher,
    );
  check(
    'D50 POST /chat/completions is a chat.completion',
    answer,
    answer.at('object'),
    'chat.completion',
  );
  check('D50 POST /chat/completions returns the model', answer, answer.at('model'), model);
  check(
    'D50 POST /chat/completions: the message has the role assistant',
    answer,
    answer.at('choices.0.message.role'),
    'assistant',
  );
  check(
    'D50 POST /chat/completions: the message has content',
    answer,
    answer.at('choices.0.message.content'),
    filledText,
  );
  check(
    'D50 POST /chat/completions: finish_reason is stop',
    answer,
    answer.at('choices.0.finish_reason'),
    'stop',
  );
  const {
    prompt_tokens: prompt,
    completion_tokens: completion,
    total_tokens: total,
  } = Object(answer.at('usage'));
  check(
    'D18 POST /chat/completions: usage has integers',
    answer,
    [prompt, completion, total],
    listOf(integer),
  );
  check('D18 POST /chat/completions: total_tokens is the sum', answer, prompt + completion, total);

  const streamed = await complete({ stream: true, stream_options: { include_usage: true } });
  check(
    'D50 stream: true returns an event stream',
    streamed,
    streamed.headers.get('content-type'),
    matching(/^text\/event-stream/),
  );
  const lines = [...streamed.text.matchAll(/^data: (.+)$/gm)].map(([, data = '']) => data);
  check('D50 a stream ends with [DONE]', streamed, lines.at(-1), '[DONE]');
  const chunks = lines.slice(0, -1).map((line) => JSON.parse(line));
  check(
    'D50 each chunk of a stream is a chat.completion.chunk',
    streamed,
    chunks.map(({ object }) => object),
    listOf(matching(/^chat\.completion\.chunk$/)),
  );
  check(
    'D50 include_usage adds the usage at the end',
    streamed,
    chunks.at(-1)?.usage?.total_tokens,
    integer,
  );
  check(
    'D50 a stream has one finish_reason',
    streamed,
    chunks
      .flatMap(({ choices }) => choices)
      .filter((choice) => Object(choice).finish_reason === 'stop').length,
    1,
  );

  for (const role of ['system', 'developer', 'user']) {
    const accepted = await complete({
      messages: [{ role, content: [{ type: 'text', text: 'Hi' }] }, ...messages],
    });
    check(
      `D50 POST /chat/completions accepts the role ${role}, and content as parts`,
      accepted,
      accepted.status,
      200,
    );
  }
  for (const [description, body, param] of [
    ['no messages', { messages: undefined }, 'messages'],
    ['messages that is a string', { messages: 'Hi' }, 'messages'],
    ['an unknown role', { messages: [{ role: 'nobody', content: 'Hi' }] }, 'messages'],
    ['stream "yes"', { stream: 'yes' }, 'stream'],
    ['n 2', { n: 2 }, 'n'],
    ['a model that is a number', { model: 3 }, 'model'],
    ['no model', { model: undefined }, 'model'],
    ['tools', { tools: [{ type: 'function', function: { name: 'f', parameters: {} } }] }, 'tools'],
    [
      'response_format json_object',
      { response_format: { type: 'json_object' } },
      'response_format',
    ],
    ['logprobs', { logprobs: true }, 'logprobs'],
    ['stop', { stop: ['\n'] }, 'stop'],
  ] as const) {
    const refused = await complete(body);
    check(`D50 POST /chat/completions with ${description} is 400`, refused, refused.status, 400);
    for (const [field, matcher] of Object.entries(errorShape))
      check(
        `D50 POST /chat/completions with ${description}: error.${field}`,
        refused,
        refused.at(`error.${field}`),
        matcher,
      );
    check(
      `D50 POST /chat/completions with ${description}: error.param names it`,
      refused,
      String(refused.at('error.param')).startsWith(param),
      true,
    );
  }
  const text = await complete({
    response_format: { type: 'text' },
    max_tokens: 200,
    temperature: 0.2,
    user: 'x',
  });
  check(
    'D50 POST /chat/completions accepts response_format text and max_tokens',
    text,
    text.status,
    200,
  );
  const unknown = await complete({ model: 'unknown' });
  const unknownModel = await api.get('/models/unknown');
  check(
    'D50 an unknown model has the same status in both calls',
    unknown,
    unknown.status,
    unknownModel.status,
  );
  check('D50 an unknown model has an error', unknown, unknown.at('error.message'), filledText);
  const noKey = await send('GET', `${prefix}/models`);
  check(
    'D47 GET /models without a key is 401',
    noKey,
    [noKey.status, noKey.at('error.type')],
    [401, 'invalid_request_error'],
  );
  const wrong = suite.api('org-key', 'the OpenAI API with an organization key')?.under(prefix);
  if (!wrong) return;
  const refused = await wrong.get('/models');
  check('D4 GET /models with an organization key is 401', refused, refused.status, 401);
}
