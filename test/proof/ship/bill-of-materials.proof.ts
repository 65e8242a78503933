import { spawnSync } from 'node:child_process';
import { licences, notAllowed } from '../../../deploy/licences.ts';
import { atLeast } from '../../bench/goals.ts';
import { exactlyZero, type Proof } from '../proof.ts';

type SbomComponent = {
  name: string;
  version?: string;
  purl?: string;
  hashes?: unknown[];
  licenses?: unknown[];
};

export const proof: Proof = {
  claim:
    'The bill of materials lists every production dependency with its version, hash and licence, and every licence is allowed',
  async measure({ log }) {
    const { stdout, stderr } = spawnSync('npm', ['run', '--silent', 'sbom'], {
      encoding: 'utf8',
      maxBuffer: 2 ** 26,
      shell: process.platform === 'win32',
    });
    if (stdout === '') throw new Error(`npm run sbom printed nothing: ${stderr}`);
    const { bomFormat, components } = JSON.parse(stdout) as {
      bomFormat: string;
      components: SbomComponent[];
    };
    const packages = licences();
    const licenceOf = new Map(
      packages.map(({ name, version, licence }) => [`${name}@${version}`, licence]),
    );
    const incompleteComponents = components.filter(
      ({ name, version, purl, hashes = [] }) =>
        !version || !purl || hashes.length === 0 || !licenceOf.has(`${name}@${version}`),
    );
    const withoutLicence = packages.filter(({ licence }) => licence === 'unknown');
    const notAllowedPackages = notAllowed(packages);
    for (const { name, version } of [
      ...incompleteComponents,
      ...withoutLicence,
      ...notAllowedPackages,
    ])
      log(`${name}@${version}`);
    return [
      atLeast(300, {
        figure: `components in the ${bomFormat} bill of materials`,
        value: components.length,
        unit: '',
      }),
      exactlyZero(
        'of those, without a version, an address, a hash or an entry in the lock file',
        incompleteComponents.length,
      ),
      exactlyZero(`packages without a licence, of ${packages.length}`, withoutLicence.length),
      exactlyZero('licences that are not allowed', notAllowedPackages.length),
    ];
  },
};
