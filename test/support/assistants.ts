import type { TestApp, TestOrganization } from './app.ts';

let people = 0;

/** A person of an organization with a key of their own. */
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

type Terms = {
  name?: string;
  instructions?: string;
  model?: string;
  temperature?: number;
  stepLimit?: number;
};

/** An assistant that this person owns. */
export async function assistantOf(
  { graph }: Pick<TestPerson, 'graph'>,
  { name = 'Helper', ...terms }: Terms = {},
): Promise<string> {
  const made = await graph(
    `mutation ($name: AssistantName!, $instructions: Instructions, $model: ModelName, $temperature: Temperature, $stepLimit: StepLimit) {
      createAssistant(name: $name, instructions: $instructions, model: $model, temperature: $temperature, stepLimit: $stepLimit) { id } }`,
    { name, ...terms },
  );
  if (made.errors.length > 0) throw new Error(made.answer.text);
  return Object(made.data?.['createAssistant']).id;
}

/**
 * Its owner shares an assistant: with a user, a team, or, where neither is named, with everybody.
 */
export const share = (
  { graph }: Pick<TestPerson, 'graph'>,
  assistantId: string,
  level: 'VIEW' | 'EDIT' | 'OWNER',
  holder: { userId?: string; email?: string; teamId?: string } = {},
) =>
  graph(
    `mutation ($assistantId: ResourceId!, $level: AccessLevel!, $userId: ResourceId, $email: EmailAddress, $teamId: ResourceId) {
      shareAssistant(assistantId: $assistantId, level: $level, userId: $userId, email: $email, teamId: $teamId) { id shares { level user { id } team { id } } } }`,
    { assistantId, level, ...holder },
  );
