import { globSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { beforeAll, describe, expect, it } from 'vitest';
import {
  actionLabel,
  actions,
  describeAction,
  describeActor,
} from '../../src/console/web/settings/audit/sentence.ts';
import { actionsOf, eventTypes } from '../../src/modules/events/event-types.ts';
import { loadEnglishTexts } from '../support/console-texts.ts';

const root = fileURLToPath(new URL('../../', import.meta.url));

/** Every action name that a rule records in the audit log, and those that triggers record. */
const recordedActions = globSync('src/modules/**/*.ts', { cwd: root })
  .map((file) => readFileSync(root + file, 'utf8'))
  .filter((text) =>
    /\b(record(Change|AuthenticationEvent)?|changeRows?|changeSecondFactor)[(<]/.test(text),
  )
  .flatMap((text) =>
    [...text.matchAll(/\b(?:action|USER|ORGANIZATION): '([a-z]+(?:-[a-z]+)+)'/g)].map(
      ([, action = '']) => action,
    ),
  )
  .concat(actionsOf(eventTypes));

const entry = {
  actorKind: 'SESSION' as const,
  actorName: 'Ada',
  targetName: null,
  targetType: 'Thing',
  user: null,
  changes: [],
};

describe('audit log sentences', () => {
  beforeAll(loadEnglishTexts);

  it('Every recorded action has a sentence, and the filter offers no other action', () => {
    expect(recordedActions.length).toBeGreaterThan(25);
    expect([...actions].toSorted()).toEqual([...new Set(recordedActions)].toSorted());
  });

  it('A sentence has no gap when a value was deleted or not recorded', () => {
    for (const action of actions) expect(describeAction({ ...entry, action })).toMatch(/^\S.*\S$/);
    expect(
      actions
        .map((action) => describeAction({ ...entry, action }))
        .filter((sentence) => /undefined|null|“”| {2}/.test(sentence)),
    ).toEqual([]);
  });

  it('A change of Atrium itself names the person whom it was recorded with', () => {
    expect(describeActor({ actorKind: 'SYSTEM', actorName: null })).toBe('Atrium');
    expect(describeActor({ actorKind: 'SYSTEM', actorName: 'grace@customer.example' })).toBe(
      'grace@customer.example',
    );
  });

  it('The sentence about a renamed team has both names', () => {
    const changes = [{ field: 'name', value: 'Sales', before: 'Support' }];
    expect(describeAction({ ...entry, action: 'rename-team', changes })).toBe(
      'renamed the team “Support” to “Sales”',
    );
  });

  it('The actor is named as far as it is known', () => {
    expect(describeActor(entry)).toBe('Ada');
    expect(describeActor({ actorKind: 'ORGANIZATION_KEY', actorName: 'CI' })).toBe('The key “CI”');
    expect(describeActor({ actorKind: 'SYSTEM', actorName: null })).toBe('Atrium');
    expect(describeActor({ actorKind: 'SESSION', actorName: null })).toBe('A former member');
  });

  it('An action without a sentence is shown by its name', () => {
    expect(describeAction({ ...entry, action: 'merge-teams', targetName: 'Support' })).toBe(
      'performed “merge teams” on “Support”',
    );
    expect(actionLabel('revoke-api-key')).toBe('Revoke key');
  });
});
