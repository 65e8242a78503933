import { spawnSync } from 'node:child_process';
import { exactlyZero, type Proof } from '../proof.ts';

type AuditReport = { metadata?: { vulnerabilities: Record<string, number> } };

/** The figure is skipped when the package registry does not support audits. */
export const proof: Proof = {
  claim: 'The packages that run in production have no known vulnerability',
  async measure() {
    const { stdout } = spawnSync('npm', ['audit', '--omit=dev', '--json'], {
      encoding: 'utf8',
      shell: process.platform === 'win32',
    });
    const vulnerabilityCount = (JSON.parse(stdout) as AuditReport).metadata?.vulnerabilities[
      'total'
    ];
    if (vulnerabilityCount === undefined)
      return [
        {
          figure: 'known vulnerabilities in production',
          skipped: 'the package registry does not support npm audit',
        },
      ];
    return [exactlyZero('known vulnerabilities in production', vulnerabilityCount)];
  },
};
