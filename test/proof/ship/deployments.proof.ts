import { spawnSync } from 'node:child_process';
import { globSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { parseAllDocuments } from 'yaml';
import packageJson from '../../../package.json' with { type: 'json' };
import { testApp } from '../../support/app.ts';
import { temporaryDirectory } from '../../support/process.ts';
import { healthyVectorDb, linesOfLog, testVault } from '../../support/vault.ts';
import { startVectorDb } from '../../support/vector-db.ts';
import { type Finding, none, type Proof } from '../proof.ts';
import { type Compose, composeFaults } from './compose-faults.ts';
import { kubernetesFaults, type Manifest, probedPaths, workloadsIn } from './kubernetes-faults.ts';
import { root, textOf, yamlOf } from './settings-given.ts';

const folder = fileURLToPath(new URL('deploy/kubernetes', root));
const isManifest = (name: string) => name !== 'kustomization.yaml';

/**
 * No engine and no cluster is asked: what they would stumble over is looked for in the files,
 * beside the settings and the parts themselves.
 */
export const proof: Proof = {
  claim:
    'compose.yaml and the manifests fit the settings, the probes and the versions of the sources',
  async attempt({ say }) {
    const compose: Compose = yamlOf('compose.yaml');
    const kustomization = yamlOf('deploy/kubernetes/kustomization.yaml');
    const files: string[] = globSync('*.yaml', { cwd: folder }).filter(isManifest).sort();
    const manifests: Manifest[] = files.flatMap((file) =>
      parseAllDocuments(textOf(`deploy/kubernetes/${file}`)).map((document) => document.toJS()),
    );
    const secretNames = [
      ...textOf('deploy/kubernetes/secret.example.env').matchAll(/^(\w+)=$/gm),
    ].map(([, name = '']) => name);

    const inCompose = composeFaults(compose);
    const inKubernetes = kubernetesFaults(manifests, secretNames);
    const unlisted = files.filter((file) => !kustomization.resources.includes(file));
    const versions = [
      kustomization.images[0].newTag,
      kustomization.labels[0].pairs['app.kubernetes.io/version'],
      /ARG VERSION=(.*)/.exec(textOf('Dockerfile'))?.[1],
    ];
    const unserved = await unservedPaths(manifests);
    const strays = scrapedAddresses().filter(
      ({ host, port }) => !(host in compose.services) || !['4000', '4100'].includes(port),
    );
    for (const fault of [
      ...inCompose,
      ...inKubernetes,
      ...unlisted.map((file) => `${file} is not in the kustomization`),
      ...unserved,
    ])
      say(fault);
    return [
      none(
        `faults in compose.yaml, ${Object.keys(compose.services).length} services`,
        inCompose.length,
      ),
      none(
        `faults in the manifests, ${manifests.length} objects`,
        inKubernetes.length + unlisted.length,
      ),
      none('probes that the parts do not serve', unserved.length),
      none(
        'versions that differ from package.json',
        versions.filter((version) => version !== packageJson.version).length,
      ),
      none('addresses that Prometheus would ask in vain', strays.length),
      built(manifests.length),
      ...checkedByPrometheus(),
    ];
  },
};

/** The paths of all probes, asked of the real parts. */
async function unservedPaths(manifests: readonly Manifest[]): Promise<string[]> {
  const directory = temporaryDirectory();
  const app = await testApp();
  const standIn = await healthyVectorDb();
  const vault = await testVault({ vectorDbUrl: standIn.url });
  const vectorDb = await startVectorDb(directory.path, linesOfLog().log);
  const ask: Record<string, (path: string) => Promise<number>> = {
    api: async (path) => (await app.request('GET', path)).status,
    vault: async (path) => (await vault.request('GET', path, {})).status,
    'vector-db': async (path) => (await fetch(vectorDb.url + path)).status,
  };
  const unserved: string[] = [];
  for (const { part, paths } of workloadsIn(manifests).map(probedPaths))
    for (const path of new Set(paths))
      if ((await ask[part]?.(path)) !== 200) unserved.push(`${part} does not serve ${path}`);
  await vault.close();
  await standIn.stop();
  await vectorDb.stop();
  await app.close();
  directory.remove();
  return unserved;
}

const scrapedAddresses = () =>
  [...textOf('deploy/prometheus/prometheus.yml').matchAll(/targets: \['([\w-]+):(\d+)'\]/g)].map(
    ([, host = '', port = '']) => ({ host, port }),
  );

function built(count: number): Finding {
  const { error, status, stdout } = spawnSync('kubectl', ['kustomize', folder], {
    encoding: 'utf8',
  });
  const figure = 'objects that kubectl kustomize builds';
  if (error) return { figure, leftOut: 'there is no kubectl on this machine' };
  const made = status === 0 ? (stdout.match(/^kind: /gm)?.length ?? 0) : 0;
  return { figure, value: made, unit: '', goal: String(count), held: made === count };
}

function checkedByPrometheus(): Finding[] {
  const files = [
    ['check', 'rules', 'alerts.yml'],
    ['check', 'config', '--syntax-only', 'prometheus.yml'],
  ];
  const figure = 'files that promtool refuses';
  const outcomes = files.map((args) =>
    spawnSync('promtool', args, { cwd: fileURLToPath(new URL('deploy/prometheus', root)) }),
  );
  if (outcomes.some(({ error }) => error))
    return [{ figure, leftOut: 'there is no promtool on this machine' }];
  return [none(figure, outcomes.filter(({ status }) => status !== 0).length)];
}
