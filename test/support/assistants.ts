import type { TestApp, TestOrganization } from './app.ts';

let people = 0;

/** Creates a member with a user key. */
export async function personIn(app: TestApp, organization: TestOrganization) {
  people += 1;
  const email = `person${people}@assistants.example`;
  const { id } = await organization.member(email);
  const { key } = await organization.userKey(id);
  return {
    id,
    email,
    key,
    call: app.callerWith(key),
    graph: (query: string, variables: Record<string, unknown> = {}) =>
      app.graph(key, query, variables),
  };
}

export type TestPerson = Awaited<ReturnType<typeof personIn>>;

type AssistantTerms = {
  name?: string;
  instructions?: string;
  model?: string;
  temperature?: number;
  stepLimit?: number;
};

/** Creates an assistant that this person owns and returns its id. */
export async function assistantOf(
  { graph }: Pick<TestPerson, 'graph'>,
  { name = 'Helper', ...terms }: AssistantTerms = {},
): Promise<string> {
  const created = await graph(
    `mutation ($name: String!, $instructions: String, $model: String, $temperature: Float, $stepLimit: Int) {
      createAssistant(input: { name: $name, instructions: $instructions, model: $model, temperature: $temperature, stepLimit: $stepLimit }) { assistant { id } } }`,
    { name, ...terms },
  );
  if (created.errors.length > 0) throw new Error(created.answer.text);
  return Object(Object(created.data?.['createAssistant']).assistant).id;
}

/** Shares an assistant with a user, a team, or, without either, with the whole organization. */
export const share = (
  { graph }: Pick<TestPerson, 'graph'>,
  assistantId: string,
  level: 'VIEW' | 'EDIT' | 'OWNER',
  holder: { userId?: string; email?: string; teamId?: string } = {},
) =>
  graph(
    `mutation ($assistantId: ID!, $level: AccessLevel!, $userId: ID, $email: EmailAddress, $teamId: ID) {
      shareAssistant(input: { assistantId: $assistantId, level: $level, userId: $userId, email: $email, teamId: $teamId }) { assistant { id shares { level user { id } team { id } } } } }`,
    { assistantId, level, ...holder },
  );
