import { describe, expect, it } from 'vitest';
import { licences, licencesDocument, notAllowed } from '../../deploy/licences.ts';

const of = (license?: string, name = 'some-package') =>
  licences({ [`node_modules/${name}`]: { version: '1.0.0', ...(license && { license }) } });

describe('the licences of production dependencies', () => {
  it('are all allowed', () => {
    expect(licences().length).toBeGreaterThan(100);
    expect(notAllowed(licences())).toEqual([]);
  });

  it.each([
    ['GPL-3.0-only'],
    ['AGPL-3.0'],
    ['MIT AND GPL-2.0'],
    ['SEE LICENSE IN LICENSE'],
    [undefined],
  ])('%s is allowed to nobody', (license) => {
    expect(notAllowed(of(license))).toHaveLength(1);
  });

  it.each([['MIT'], ['(GPL-2.0 OR MIT)'], ['MIT and ISC']])(
    '%s is allowed to everybody',
    (license) => {
      expect(notAllowed(of(license))).toEqual([]);
    },
  );

  it('a weaker copyleft is allowed to the packages that were looked at', () => {
    expect(notAllowed(of('MPL-2.0', 'lightningcss-linux-x64-gnu'))).toEqual([]);
    expect(notAllowed(of('MPL-2.0', 'another'))).toHaveLength(1);
  });

  it('are listed each version once, also of packages inside of others', () => {
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
