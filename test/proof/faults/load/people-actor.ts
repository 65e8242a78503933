import type { SeededRandom } from '../../fuzz/seeded-random.ts';
import { Ledger } from './ledger.ts';
import type { DemoKeys, LoadActor } from './mixed-load.ts';
import type { ApiRequest, ServerAddress } from './send-request.ts';

export type UserState = { email: string; firstName: string; teams: string[] };
export type TeamState = { name: string; memberCount: number };

const usersMax = 6;
const teamsMax = 3;

/** Creates, moves and removes users and teams. No other actor changes them. */
export function peopleActor(name: string, keys: DemoKeys, random: SeededRandom): LoadActor {
  const ledger = new Ledger();
  let number = 0;
  const call = (method: string, path: string, json?: unknown): ApiRequest => ({
    ...{ method, path: `/api/user-management/v1${path}`, key: keys.organizationKey },
    ...(json === undefined ? {} : { json, idempotencyKey: `${name}-${number}` }),
  });
  const withTeams = ({ email, firstName }: UserState, teams: string[]): UserState => ({
    email,
    firstName,
    teams: teams.toSorted(),
  });
  const withMembers = (state: TeamState, by: number): TeamState => ({
    ...state,
    memberCount: state.memberCount + by,
  });

  async function step(server: ServerAddress): Promise<void> {
    number += 1;
    const users = ledger.objectsOf<UserState>('user');
    const teams = ledger.objectsOf<TeamState>('team');
    if (teams.length === 0 || (teams.length < teamsMax && random.percent(25))) {
      const title = `${name}-${number}`;
      const state: TeamState = { name: title, memberCount: 0 };
      return ledger.perform(server, {
        ...{
          request: call('POST', '/teams', { name: title }),
          change: { created: { kind: 'team', state } },
          action: 'create-team',
        },
        idIn: ({ team }) => Object(team).id,
      });
    }
    if (users.length < 2 || (users.length < usersMax && random.percent(40))) {
      const state: UserState = {
        email: `${name}-${number}@load.example`,
        firstName: random.text(8),
        teams: [keys.defaultTeamId],
      };
      return ledger.perform(server, {
        request: call('POST', '/users', { email: state.email, firstName: state.firstName }),
        ...{
          change: { created: { kind: 'user', state } },
          action: 'create-user',
          idIn: ({ user }) => Object(user).id,
        },
      });
    }
    const user = random.pick(users);
    const team = random.pick(teams);
    const others = user.state.teams.filter((id) => id !== team.id);
    if (random.percent(20)) {
      const teamsAfterRemoval = teams
        .filter(({ id }) => user.state.teams.includes(id))
        .map(({ id, state }): [string, unknown] => [`team:${id}`, withMembers(state, -1)]);
      const change = { deleted: [`user:${user.id}`], updated: teamsAfterRemoval };
      return ledger.perform(server, {
        request: call('DELETE', `/users/${user.id}`),
        change,
        action: 'remove-user',
        target: user.id,
      });
    }
    if (random.percent(15)) {
      const updated = users.map(({ id, state }): [string, unknown] => [
        `user:${id}`,
        withTeams(
          state,
          state.teams.filter((other) => other !== team.id),
        ),
      ]);
      return ledger.perform(server, {
        ...{
          request: call('DELETE', `/teams/${team.id}`),
          change: { deleted: [`team:${team.id}`], updated },
        },
        ...{ action: 'delete-team', target: team.id },
      });
    }
    if (others.length < user.state.teams.length) {
      const updated: [string, unknown][] = [
        [`user:${user.id}`, withTeams(user.state, others)],
        [`team:${team.id}`, withMembers(team.state, -1)],
      ];
      return ledger.perform(server, {
        request: call('DELETE', `/teams/${team.id}/users/${user.id}`),
        change: { updated },
        action: 'remove-team-user',
        target: team.id,
      });
    }
    const updated: [string, unknown][] = [
      [`user:${user.id}`, withTeams(user.state, [...others, team.id])],
      [`team:${team.id}`, withMembers(team.state, 1)],
    ];
    const request = call('POST', `/teams/${team.id}/users`, { userId: user.id });
    return ledger.perform(server, {
      request,
      change: { updated },
      action: 'add-team-user',
      target: team.id,
    });
  }

  return { name, ledger, step };
}
