import { describe, expect, it } from 'vitest';
import { licences, licencesDocument, notAllowed } from '../../deploy/licences.ts';

const licencesOf = (license?: string, name = 'some-package') =>
  licences({ [`node_modules/${name}`]: { version: '1.0.0', ...(license && { license }) } });

describe('the licences of production dependencies', () => {
  it('all licences of production dependencies are allowed', () => {
    expect(licences().length).toBeGreaterThan(100);
    expect(notAllowed(licences())).toEqual([]);
  });

  it.each([
    ['GPL-3.0-only'],
    ['AGPL-3.0'],
    ['MIT AND GPL-2.0'],
    ['SEE LICENSE IN LICENSE'],
    [undefined],
  ])('the licence %s is rejected', (license) => {
    expect(notAllowed(licencesOf(license))).toHaveLength(1);
  });

  it.each([['MIT'], ['(GPL-2.0 OR MIT)'], ['MIT and ISC']])(
    'the licence %s is accepted',
    (license) => {
      expect(notAllowed(licencesOf(license))).toEqual([]);
    },
  );

  it('a weak copyleft licence is accepted only for reviewed packages', () => {
    expect(notAllowed(licencesOf('MPL-2.0', 'lightningcss-linux-x64-gnu'))).toEqual([]);
    expect(notAllowed(licencesOf('MPL-2.0', 'another'))).toHaveLength(1);
  });

  it('each version of a package is listed once, including nested packages', () => {
    const packages = {
      'node_modules/a': { version: '1.0.0', license: 'MIT' },
      'node_modules/b/node_modules/a': { version: '2.0.0', license: 'MIT' },
    };
    const development = { 'node_modules/c': { version: '1.0.0', license: 'GPL-3.0', dev: true } };
    const document = licencesDocument(licences({ ...packages, ...development }));
    expect(document).toContain('| MIT | 2 |');
    expect(document.trimEnd().endsWith('| a | 1.0.0 | MIT |\n| a | 2.0.0 | MIT |')).toBe(true);
    expect(document).not.toContain('GPL');
  });
});
