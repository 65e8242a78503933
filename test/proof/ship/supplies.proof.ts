import { spawnSync } from 'node:child_process';
import { licences, notAllowed } from '../../../deploy/licences.ts';
import { atLeast } from '../../bench/goals.ts';
import { none, type Proof } from '../proof.ts';

type Component = {
  name: string;
  version?: string;
  purl?: string;
  hashes?: unknown[];
  licenses?: unknown[];
};

export const proof: Proof = {
  claim:
    'the bill of materials names every production dependency with its version, hash and licence, and each licence is allowed',
  async attempt({ say }) {
    const { stdout, stderr } = spawnSync('npm', ['run', '--silent', 'sbom'], {
      encoding: 'utf8',
      maxBuffer: 2 ** 26,
      shell: process.platform === 'win32',
    });
    if (stdout === '') throw new Error(`npm run sbom says nothing: ${stderr}`);
    const { bomFormat, components } = JSON.parse(stdout) as {
      bomFormat: string;
      components: Component[];
    };
    const known = licences();
    const licenceOf = new Map(
      known.map(({ name, version, licence }) => [`${name}@${version}`, licence]),
    );
    const vague = components.filter(
      ({ name, version, purl, hashes = [] }) =>
        !version || !purl || hashes.length === 0 || !licenceOf.has(`${name}@${version}`),
    );
    const untold = known.filter(({ licence }) => licence === 'not told');
    const refused = notAllowed(known);
    for (const { name, version } of [...vague, ...untold, ...refused]) say(`${name}@${version}`);
    return [
      atLeast(300, {
        figure: `components in the ${bomFormat} bill of materials`,
        value: components.length,
        unit: '',
      }),
      none(
        'of them without a version, an address, a hash or an entry in the lock file',
        vague.length,
      ),
      none(`licences not told, of ${known.length} packages`, untold.length),
      none('licences that nobody has allowed', refused.length),
    ];
  },
};
