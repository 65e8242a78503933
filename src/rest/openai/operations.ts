/**
 * The operations behind the OpenAI endpoints: the list of models, and a run as one response or as
 * events.
 */
export const openAiOperations = {
  models: 'openai/list-models',
  completion: 'openai/create-chat-completion',
  stream: 'openai/stream-chat-completion',
};
