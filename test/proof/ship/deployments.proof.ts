import { spawnSync } from 'node:child_process';
import { globSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { parseAllDocuments } from 'yaml';
import packageJson from '../../../package.json' with { type: 'json' };
import { testApp } from '../../support/app.ts';
import { temporaryDirectory } from '../../support/process.ts';
import { healthyVectorDb, recordLog, testVault } from '../../support/vault.ts';
import { startVectorDb } from '../../support/vector-db.ts';
import { exactlyZero, type Proof, type ProofFinding } from '../proof.ts';
import { type ComposeFile, composeFaults } from './compose-faults.ts';
import {
  type KubernetesManifest,
  kubernetesFaults,
  probedPaths,
  workloadsIn,
} from './kubernetes-faults.ts';
import { root, textOf, yamlOf } from './setting-faults.ts';

const folder = fileURLToPath(new URL('deploy/kubernetes', root));
const isManifest = (name: string) => name !== 'kustomization.yaml';

/**
 * Checks the files without a container engine or a cluster: against the settings, and by requesting
 * the probed paths from the real servers.
 */
export const proof: Proof = {
  claim:
    'compose.yaml and the Kubernetes manifests match the settings, the probes and the version of the code',
  async measure({ log }) {
    const compose: ComposeFile = yamlOf('compose.yaml');
    const kustomization = yamlOf('deploy/kubernetes/kustomization.yaml');
    const files: string[] = globSync('*.yaml', { cwd: folder }).filter(isManifest).sort();
    const manifests: KubernetesManifest[] = files.flatMap((file) =>
      parseAllDocuments(textOf(`deploy/kubernetes/${file}`)).map((document) => document.toJS()),
    );
    const secretNames = [
      ...textOf('deploy/kubernetes/secret.example.env').matchAll(/^(\w+)=$/gm),
    ].map(([, name = '']) => name);

    const composeProblems = composeFaults(compose);
    const kubernetesProblems = kubernetesFaults(manifests, secretNames);
    const unlisted = files.filter((file) => !kustomization.resources.includes(file));
    const versions = [
      kustomization.images[0].newTag,
      kustomization.labels[0].pairs['app.kubernetes.io/version'],
      /ARG VERSION=(.*)/.exec(textOf('Dockerfile'))?.[1],
    ];
    const unservedProbes = await unservedPaths(manifests);
    const unknownTargets = scrapedAddresses().filter(
      ({ host, port }) => !(host in compose.services) || !['4000', '4100'].includes(port),
    );
    for (const fault of [
      ...composeProblems,
      ...kubernetesProblems,
      ...unlisted.map((file) => `${file} is not listed in kustomization.yaml`),
      ...unservedProbes,
    ])
      log(fault);
    return [
      exactlyZero(
        `faults in compose.yaml, ${Object.keys(compose.services).length} services`,
        composeProblems.length,
      ),
      exactlyZero(
        `faults in the manifests, ${manifests.length} objects`,
        kubernetesProblems.length + unlisted.length,
      ),
      exactlyZero('probed paths that the servers do not serve', unservedProbes.length),
      exactlyZero(
        'versions that differ from package.json',
        versions.filter((version) => version !== packageJson.version).length,
      ),
      exactlyZero('scrape targets of Prometheus that do not exist', unknownTargets.length),
      checkKustomize(manifests.length),
      ...checkWithPromtool(),
    ];
  },
};

/** Requests the paths of all probes from the real servers. */
async function unservedPaths(manifests: readonly KubernetesManifest[]): Promise<string[]> {
  const directory = temporaryDirectory();
  const app = await testApp();
  const fakeVectorDb = await healthyVectorDb();
  const vault = await testVault({ vectorDbUrl: fakeVectorDb.url });
  const vectorDb = await startVectorDb(directory.path, recordLog().log);
  const requestStatus: Record<string, (path: string) => Promise<number>> = {
    api: async (path) => (await app.request('GET', path)).status,
    vault: async (path) => (await vault.request('GET', path, {})).status,
    'vector-db': async (path) => (await fetch(vectorDb.url + path)).status,
  };
  const unservedProbes: string[] = [];
  for (const { component, paths } of workloadsIn(manifests).map(probedPaths))
    for (const path of new Set(paths))
      if ((await requestStatus[component]?.(path)) !== 200)
        unservedProbes.push(`${component} does not serve ${path}`);
  await vault.close();
  await fakeVectorDb.stop();
  await vectorDb.stop();
  await app.close();
  directory.remove();
  return unservedProbes;
}

const scrapedAddresses = () =>
  [...textOf('deploy/prometheus/prometheus.yml').matchAll(/targets: \['([\w-]+):(\d+)'\]/g)].map(
    ([, host = '', port = '']) => ({ host, port }),
  );

function checkKustomize(count: number): ProofFinding {
  const { error, status, stdout } = spawnSync('kubectl', ['kustomize', folder], {
    encoding: 'utf8',
  });
  const figure = 'objects that kubectl kustomize builds';
  if (error) return { figure, skipped: 'kubectl is not installed' };
  const builtCount = status === 0 ? (stdout.match(/^kind: /gm)?.length ?? 0) : 0;
  return { figure, value: builtCount, unit: '', goal: String(count), held: builtCount === count };
}

function checkWithPromtool(): ProofFinding[] {
  const files = [
    ['check', 'rules', 'alerts.yml'],
    ['check', 'config', '--syntax-only', 'prometheus.yml'],
  ];
  const figure = 'files that promtool rejects';
  const outcomes = files.map((args) =>
    spawnSync('promtool', args, { cwd: fileURLToPath(new URL('deploy/prometheus', root)) }),
  );
  if (outcomes.some(({ error }) => error))
    return [{ figure, skipped: 'promtool is not installed' }];
  return [exactlyZero(figure, outcomes.filter(({ status }) => status !== 0).length)];
}
