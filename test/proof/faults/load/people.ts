import type { Chance } from '../../fuzz/chance.ts';
import type { Asked, Line } from './ask.ts';
import { Ledger } from './ledger.ts';
import type { Actor, Keys } from './load.ts';

export type UserState = { email: string; firstName: string; teams: string[] };
export type TeamState = { name: string; memberCount: number };

const usersMax = 6;
const teamsMax = 3;

/** Makes, moves and removes users and teams that nobody else touches. */
export function peopleActor(name: string, keys: Keys, chance: Chance): Actor {
  const ledger = new Ledger();
  let number = 0;
  const all = <State>(kind: string) =>
    [...ledger.objects].flatMap(([object, state]) =>
      object.startsWith(kind) ? [{ id: object.slice(kind.length), state: state as State }] : [],
    );
  const call = (method: string, path: string, json?: unknown): Asked => ({
    ...{ method, path: `/api/user-management/v1${path}`, key: keys.organizationKey },
    ...(json === undefined ? {} : { json, again: `${name}-${number}` }),
  });
  const withTeams = ({ email, firstName }: UserState, teams: string[]): UserState => ({
    email,
    firstName,
    teams: teams.toSorted(),
  });
  const sized = (state: TeamState, by: number): TeamState => ({
    ...state,
    memberCount: state.memberCount + by,
  });

  async function step(line: Line): Promise<void> {
    number += 1;
    const users = all<UserState>('user:');
    const teams = all<TeamState>('team:');
    if (teams.length === 0 || (teams.length < teamsMax && chance.percent(25))) {
      const title = `${name}-${number}`;
      const state: TeamState = { name: title, memberCount: 0 };
      return ledger.perform(line, {
        ...{
          asked: call('POST', '/teams', { name: title }),
          change: { made: { kind: 'team', state } },
          action: 'create-team',
        },
        idIn: ({ team }) => Object(team).id,
      });
    }
    if (users.length < 2 || (users.length < usersMax && chance.percent(40))) {
      const state: UserState = {
        email: `${name}-${number}@load.example`,
        firstName: chance.text(8),
        teams: [keys.defaultTeamId],
      };
      return ledger.perform(line, {
        asked: call('POST', '/users', { email: state.email, firstName: state.firstName }),
        ...{
          change: { made: { kind: 'user', state } },
          action: 'create-user',
          idIn: ({ user }) => Object(user).id,
        },
      });
    }
    const user = chance.pick(users);
    const team = chance.pick(teams);
    const others = user.state.teams.filter((id) => id !== team.id);
    if (chance.percent(20)) {
      const left = teams
        .filter(({ id }) => user.state.teams.includes(id))
        .map(({ id, state }): [string, unknown] => [`team:${id}`, sized(state, -1)]);
      const change = { gone: [`user:${user.id}`], put: left };
      return ledger.perform(line, {
        asked: call('DELETE', `/users/${user.id}`),
        change,
        action: 'remove-user',
        target: user.id,
      });
    }
    if (chance.percent(15)) {
      const put = users.map(({ id, state }): [string, unknown] => [
        `user:${id}`,
        withTeams(
          state,
          state.teams.filter((other) => other !== team.id),
        ),
      ]);
      return ledger.perform(line, {
        ...{
          asked: call('DELETE', `/teams/${team.id}`),
          change: { gone: [`team:${team.id}`], put },
        },
        ...{ action: 'delete-team', target: team.id },
      });
    }
    if (others.length < user.state.teams.length) {
      const put: [string, unknown][] = [
        [`user:${user.id}`, withTeams(user.state, others)],
        [`team:${team.id}`, sized(team.state, -1)],
      ];
      return ledger.perform(line, {
        asked: call('DELETE', `/teams/${team.id}/users/${user.id}`),
        change: { put },
        action: 'remove-team-user',
        target: team.id,
      });
    }
    const put: [string, unknown][] = [
      [`user:${user.id}`, withTeams(user.state, [...others, team.id])],
      [`team:${team.id}`, sized(team.state, 1)],
    ];
    const asked = call('POST', `/teams/${team.id}/users`, { userId: user.id });
    return ledger.perform(line, {
      asked,
      change: { put },
      action: 'add-team-user',
      target: team.id,
    });
  }

  return { name, ledger, step };
}
