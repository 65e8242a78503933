import type { Clock } from '../../platform/clock.ts';
import type { Database } from '../../platform/database/database.ts';
import type { AccessLevel, Person } from '../assistants/access.ts';
import { createAssistant } from '../assistants/create-assistant.ts';
import { shareAssistant } from '../assistants/share-assistant.ts';
import type { Writer } from '../audit/record-change.ts';
import { systemActor } from '../audit/system-actor.ts';
import type { Workspace } from './make-workspace.ts';

type MakeAssistantsDependencies = { database: Database; clock: Clock };

const handbookInstructions =
  'You answer questions of colleagues from the company’s handbook: working time, travel, prices, IT. Be brief, and say where it stands.';
const handbookQuestions = [
  'What does the battery pack 48 V, 30 Ah cost?',
  'How often are files backed up?',
  'What do I do if the VPN connection fails?',
];
const draftsInstructions =
  'You write first drafts of letters and messages: friendly, in short sentences, without empty phrases.';

/**
 * Creates two assistants: the administrator's, which an editor may change and everybody except an
 * outsider may run, and one that a second person shares with their team.
 */
export async function makeAssistants(
  { id: organizationId, users, teams }: Pick<Workspace, 'id' | 'users' | 'teams'>,
  { database, clock }: MakeAssistantsDependencies,
) {
  const [administrator, second = administrator, ...others] = users;
  const team = teams.find(({ isDefault }) => !isDefault);
  if (!administrator || !second || !team)
    throw new Error('a workspace needs an administrator and a team');
  const makeAssistant = async (
    user: { id: string },
    terms: Parameters<typeof createAssistant>[0]['terms'],
  ) => {
    const person: Person = { organizationId, userId: user.id, isAdmin: user === administrator };
    const writer: Writer = {
      database,
      clock,
      actor: systemActor(organizationId),
      credentialsChanged: () => undefined,
    };
    const { id, name } = await createAssistant({ person, terms }, writer);
    const share = (
      recipient: Parameters<typeof shareAssistant>[0]['recipient'],
      level: AccessLevel,
    ) => shareAssistant({ assistantId: id, person, recipient, level }, writer);
    return { id, name, share };
  };
  const handbook = await makeAssistant(administrator, {
    name: 'Handbook',
    description: 'Answers from the company’s handbook: working time, travel, prices and IT.',
    instructions: handbookInstructions,
    starterQuestions: handbookQuestions,
    color: 'BLUE',
  });
  if (second !== administrator) await handbook.share({ userId: second.id, teamId: null }, 'EDIT');
  for (const { id: userId } of others.filter(({ role }) => role !== 'outsider'))
    await handbook.share({ userId, teamId: null }, 'VIEW');
  const drafts = await makeAssistant(second, {
    name: 'Drafts',
    description: 'Writes first drafts of letters and messages.',
    instructions: draftsInstructions,
    color: 'PURPLE',
  });
  await drafts.share({ userId: null, teamId: team.id }, 'VIEW');
  return [handbook, drafts].map(({ id, name }) => ({ id, name }));
}
