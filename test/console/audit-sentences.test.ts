import { globSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';
import {
  actionLabel,
  actions,
  actorOf,
  deedOf,
} from '../../src/console/web/settings/audit/sentence.ts';

const root = fileURLToPath(new URL('../../', import.meta.url));

/** Every name under which a rule records a change. */
const recorded = globSync('src/modules/**/*.ts', { cwd: root })
  .map((file) => readFileSync(root + file, 'utf8'))
  .filter((text) =>
    /\b(record(Change|AuthenticationEvent)?|changeRows?|changeSecondFactor)[(<]/.test(text),
  )
  .flatMap((text) =>
    [...text.matchAll(/\b(?:action|USER|ORGANIZATION): '([a-z]+(?:-[a-z]+)+)'/g)].map(
      ([, action = '']) => action,
    ),
  );

const told = {
  actorKind: 'SESSION' as const,
  actorName: 'Ada',
  targetName: null,
  targetType: 'Thing',
  user: null,
  changes: {},
};

describe('the audit log in words', () => {
  it('has a sentence for every change that is recorded, and offers no action that is not', () => {
    expect(recorded.length).toBeGreaterThan(25);
    expect([...actions].toSorted()).toEqual([...new Set(recorded)].toSorted());
  });

  it('no sentence has a gap where something is gone or was not noted', () => {
    for (const action of actions) expect(deedOf({ ...told, action })).toMatch(/^\S.*\S$/);
    expect(
      actions
        .map((action) => deedOf({ ...told, action }))
        .filter((deed) => /undefined|null|“”| {2}/.test(deed)),
    ).toEqual([]);
  });

  it('names who acted as far as they can be named', () => {
    expect(actorOf(told)).toBe('Ada');
    expect(actorOf({ actorKind: 'ORGANIZATION_KEY', actorName: 'CI' })).toBe('The key “CI”');
    expect(actorOf({ actorKind: 'SYSTEM', actorName: null })).toBe('Atrium');
    expect(actorOf({ actorKind: 'SESSION', actorName: null })).toBe('Somebody who has left');
  });

  it('an action of tomorrow is told by its name', () => {
    expect(deedOf({ ...told, action: 'merge-teams', targetName: 'Support' })).toBe(
      'did “merge teams” to “Support”',
    );
    expect(actionLabel('revoke-api-key')).toBe('Revoke key');
  });
});
