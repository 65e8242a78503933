import { faultsOfSettings, leaksIn } from './settings-given.ts';

type Probe = { httpGet?: { path: string; port: string }; tcpSocket?: { port: string } };
type Source = {
  configMapKeyRef?: { key: string };
  secretKeyRef?: { key: string; optional?: boolean };
};
type Container = {
  image: string;
  args: string[];
  ports: { name: string; containerPort: number }[];
  env?: { name: string; valueFrom: Source }[];
  envFrom?: unknown[];
  resources?: { requests?: object; limits?: { memory?: string } };
  securityContext?: {
    allowPrivilegeEscalation?: boolean;
    readOnlyRootFilesystem?: boolean;
    capabilities?: { drop?: string[] };
  };
  volumeMounts: { name: string; mountPath: string }[];
} & Partial<Record<'startupProbe' | 'readinessProbe' | 'livenessProbe', Probe>>;
type Pod = {
  metadata: { labels: Record<string, string> };
  spec: {
    automountServiceAccountToken?: boolean;
    securityContext?: {
      runAsNonRoot?: boolean;
      runAsUser?: number;
      seccompProfile?: { type: string };
    };
    containers: Container[];
    volumes?: { name: string }[];
  };
};
export type Manifest = {
  kind: string;
  metadata: { name: string };
  data?: Record<string, string>;
  spec: {
    template?: Pod;
    selector?: { matchLabels?: Record<string, string> } & Record<string, unknown>;
    podSelector?: { matchLabels?: Record<string, string> };
    policyTypes?: string[];
    egress?: unknown[];
    scaleTargetRef?: { kind: string; name: string };
    volumeClaimTemplates?: { metadata: { name: string } }[];
    ports?: { targetPort: string }[];
  };
};

const ports: Record<string, number> = { api: 4000, vault: 4100, 'vector-db': 4200 };
const probes = ['startupProbe', 'readinessProbe', 'livenessProbe'] as const;

export const workloadsIn = (manifests: readonly Manifest[]) =>
  manifests.filter(({ kind }) => kind === 'Deployment' || kind === 'StatefulSet');

/** The part that a workload runs, and the paths of its probes. */
export function probedPaths({ spec }: Manifest): { part: string; paths: string[] } {
  const [container] = spec.template?.spec.containers ?? [];
  return {
    part: container?.args[0] ?? '',
    paths: probes.flatMap((probe) => container?.[probe]?.httpGet?.path ?? []),
  };
}

/** What would keep these objects from working together, or is no pod of the restricted kind. */
export function kubernetesFaults(
  manifests: readonly Manifest[],
  secretNames: readonly string[],
): string[] {
  const config = manifests.find(({ kind }) => kind === 'ConfigMap')?.data ?? {};
  const workloads = workloadsIn(manifests);
  const podLabels = workloads.map(({ spec }) => spec.template?.metadata.labels ?? {});
  const selectsSome = (labels: Record<string, unknown> = {}) =>
    podLabels.some((pod) => Object.entries(labels).every(([name, value]) => pod[name] === value));
  const strays = manifests.flatMap(({ kind, metadata, spec }) => {
    const labels =
      kind === 'Service'
        ? spec.selector
        : (spec?.selector?.matchLabels ?? spec?.podSelector?.matchLabels);
    const target = spec?.scaleTargetRef;
    const missing =
      target &&
      !workloads.some(
        (workload) => workload.kind === target.kind && workload.metadata.name === target.name,
      );
    return [
      ...(labels && !selectsSome(labels) ? [`${kind} ${metadata.name} selects no pod`] : []),
      ...(missing ? [`${kind} ${metadata.name} scales nothing`] : []),
    ];
  });
  return [
    ...strays,
    ...networkFaults(manifests, workloads),
    ...proxyFaults(config),
    ...leaksIn('settings', config),
    ...workloads.flatMap((workload) => workloadFaults(workload, config, secretNames)),
  ];
}

/** Each workload says whom it may connect to, and everything else is refused. */
function networkFaults(manifests: readonly Manifest[], workloads: readonly Manifest[]): string[] {
  const policies = manifests.filter(
    ({ kind, spec }) => kind === 'NetworkPolicy' && spec.policyTypes?.includes('Egress'),
  );
  const all = policies.some(
    ({ spec }) => Object.keys(spec.podSelector ?? {}).length === 0 && spec.egress === undefined,
  );
  const named = workloads.filter(
    ({ metadata: { name } }) => !policies.some((policy) => policy.metadata.name === name),
  );
  return [
    ...(all ? [] : ['no policy refuses what no other allows']),
    ...named.map(({ metadata: { name } }) => `${name}: may connect to every address`),
  ];
}

const narrowestBits = 24;

const proxyFaults = ({ TRUSTED_PROXIES = '' }: Record<string, string>): string[] =>
  TRUSTED_PROXIES.split(',').flatMap((network) => {
    const [, bits = '32'] = network.split('/');
    return Number(bits) >= narrowestBits
      ? []
      : [`settings: ${network} trusts more addresses than an ingress has`];
  });

function workloadFaults(
  { metadata: { name }, spec }: Manifest,
  config: Record<string, string>,
  secretNames: readonly string[],
): string[] {
  const pod = spec.template?.spec;
  if (!pod) return [`${name} has no pod`];
  const must = (holds: boolean, fault: string) => (holds ? [] : [`${name}: ${fault}`]);
  const volumes = [
    ...(pod.volumes ?? []),
    ...(spec.volumeClaimTemplates ?? []).map(({ metadata }) => metadata),
  ].map((volume) => volume.name);
  const { runAsNonRoot, runAsUser = 0, seccompProfile } = pod.securityContext ?? {};
  return [
    ...must(pod.automountServiceAccountToken === false, 'carries a token of the cluster'),
    ...must(
      runAsNonRoot === true && runAsUser > 0 && seccompProfile?.type === 'RuntimeDefault',
      'is not restricted',
    ),
    ...pod.containers.flatMap((container) => {
      const { allowPrivilegeEscalation, readOnlyRootFilesystem, capabilities } =
        container.securityContext ?? {};
      const [port] = container.ports;
      return [
        ...must(
          allowPrivilegeEscalation === false &&
            readOnlyRootFilesystem === true &&
            capabilities?.drop?.includes('ALL') === true,
          'keeps privileges',
        ),
        ...must(
          container.resources?.requests !== undefined &&
            container.resources.limits?.memory !== undefined,
          'has no bounds',
        ),
        ...must(port?.containerPort === ports[container.args[0] ?? ''], 'listens elsewhere'),
        ...probes.flatMap((probe) => {
          const asked = container[probe]?.httpGet ?? container[probe]?.tcpSocket;
          return must(asked !== undefined && asked.port === port?.name, `has no ${probe}`);
        }),
        ...['/tmp', '/data'].flatMap((path) =>
          must(
            container.volumeMounts.some(
              ({ mountPath, name }) => mountPath === path && volumes.includes(name),
            ),
            `cannot write to ${path}`,
          ),
        ),
        ...settingsFaults(name, container, config, secretNames),
      ];
    }),
  ];
}

const given = 'a-secret-that-is-long-enough-for-all-of-them';

const formed: Record<string, string> = {
  DATABASE_URL: 'postgres://atrium@postgres/atrium',
  REDIS_URL: 'rediss://:password@redis:6379',
  SMTP_URL: 'smtps://user:password@mail.example.com:465',
  MAIL_FROM: 'atrium@example.com',
};

function settingsFaults(
  name: string,
  { env = [], envFrom }: Container,
  config: Record<string, string>,
  secretNames: readonly string[],
): string[] {
  const secret = (key: string) => [key, formed[key] ?? given] as const;
  const whole = envFrom ? [...Object.entries(config), ...secretNames.map(secret)] : [];
  const single = env.map(
    ({ name: key, valueFrom }) =>
      [
        key,
        valueFrom.configMapKeyRef ? (config[valueFrom.configMapKeyRef.key] ?? '') : given,
      ] as const,
  );
  const dangling = env.filter(({ valueFrom: { configMapKeyRef: entry, secretKeyRef } }) => {
    if (entry) return !(entry.key in config);
    return secretKeyRef?.optional !== true && !secretNames.includes(secretKeyRef?.key ?? '');
  });
  const known = single.filter(([key]) => key !== 'HEARTBEAT_URL');
  return [
    ...dangling.map((entry) => `${name}: nothing holds ${entry.name}`),
    ...faultsOfSettings(name, Object.fromEntries([...whole, ...known])),
  ];
}
