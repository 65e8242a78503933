import { existsSync, globSync, readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { longFiles, selectedLanes, testFiles } from './lanes.ts';

const files = (pattern: string) =>
  globSync(pattern, { exclude: ['test/peers/node_modules'] }).map((file) =>
    file.replaceAll('\\', '/'),
  );

describe('The lanes of the tests', () => {
  it('npm run test:all and the proofs together run every test file, and no file belongs to both', () => {
    const lanes = [...testFiles(...selectedLanes(undefined)), ...testFiles('proof')];
    expect(lanes.toSorted()).toEqual(files('test/**/*.test.ts').toSorted());
  });

  it('Every file of the list of long ones exists', () => {
    expect([...longFiles].filter((file) => !existsSync(file))).toEqual([]);
  });

  it('npm test runs a part of what npm run test:all runs', () => {
    const everyday = testFiles(...selectedLanes('application'));
    const all = testFiles(...selectedLanes(undefined));
    expect(everyday.filter((file) => !all.includes(file))).toEqual([]);
    expect(all).toContain('test/rest/parity.test.ts');
    expect(everyday).not.toContain('test/rest/parity.test.ts');
  });

  it('A file that is named on the command line runs whatever its lane is', () => {
    const lanes = selectedLanes('application', ['run', 'test/rest/parity.test.ts']);
    expect(testFiles(...lanes)).toContain('test/rest/parity.test.ts');
    expect(testFiles(...lanes)).toContain('test/proof/faults/kill-redemptions.test.ts');
    expect(selectedLanes(undefined, ['run', '--exclude', 'test/main.test.ts'])).not.toContain(
      'proof',
    );
  });

  it('npm run test:unit runs a part of what npm test runs', () => {
    const unit = testFiles(...selectedLanes('unit'));
    expect(unit).toContain('test/lanes.test.ts');
    const both = testFiles('unit', 'application');
    const others = testFiles('application');
    expect(unit.filter((file) => !both.includes(file))).toEqual([]);
    expect(unit.filter((file) => others.includes(file))).toEqual([]);
  });

  it('Every path of .ci/run names a test file of npm run test:all', () => {
    const paths = readFileSync('.ci/run', 'utf8').match(/(?<=[ (=])test\/[\w./-]+/g) ?? [];
    expect(paths.length).toBeGreaterThan(5);
    const tests = testFiles(...selectedLanes(undefined));
    expect(paths.filter((path) => !tests.some((file) => file.startsWith(path)))).toEqual([]);
  });

  it('Each test file among the proofs has a proof of the same name that runs it', () => {
    const proofs = files('test/proof/**/*.proof.ts').map((file) =>
      file.replace('.proof.', '.test.'),
    );
    expect(testFiles('proof').filter((file) => !proofs.includes(file))).toEqual([]);
  });
});
