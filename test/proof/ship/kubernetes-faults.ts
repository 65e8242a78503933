import { findSecrets, settingFaults } from './setting-faults.ts';

type KubernetesProbe = { httpGet?: { path: string; port: string }; tcpSocket?: { port: string } };
type EnvironmentSource = {
  configMapKeyRef?: { key: string };
  secretKeyRef?: { key: string; optional?: boolean };
};
type PodContainer = {
  image: string;
  args: string[];
  ports: { name: string; containerPort: number }[];
  env?: { name: string; valueFrom: EnvironmentSource }[];
  envFrom?: unknown[];
  resources?: { requests?: object; limits?: { memory?: string } };
  securityContext?: {
    allowPrivilegeEscalation?: boolean;
    readOnlyRootFilesystem?: boolean;
    capabilities?: { drop?: string[] };
  };
  volumeMounts: { name: string; mountPath: string }[];
} & Partial<Record<'startupProbe' | 'readinessProbe' | 'livenessProbe', KubernetesProbe>>;
type PodTemplate = {
  metadata: { labels: Record<string, string> };
  spec: {
    automountServiceAccountToken?: boolean;
    securityContext?: {
      runAsNonRoot?: boolean;
      runAsUser?: number;
      seccompProfile?: { type: string };
    };
    containers: PodContainer[];
    volumes?: { name: string }[];
  };
};
export type KubernetesManifest = {
  kind: string;
  metadata: { name: string };
  data?: Record<string, string>;
  spec: {
    template?: PodTemplate;
    selector?: { matchLabels?: Record<string, string> } & Record<string, unknown>;
    podSelector?: { matchLabels?: Record<string, string> };
    policyTypes?: string[];
    egress?: unknown[];
    scaleTargetRef?: { kind: string; name: string };
    volumeClaimTemplates?: { metadata: { name: string } }[];
    ports?: { targetPort: string }[];
  };
};

const portByComponent: Record<string, number> = { api: 4000, vault: 4100, 'vector-db': 4200 };
const probes = ['startupProbe', 'readinessProbe', 'livenessProbe'] as const;

export const workloadsIn = (manifests: readonly KubernetesManifest[]) =>
  manifests.filter(({ kind }) => kind === 'Deployment' || kind === 'StatefulSet');

/** The component that a workload runs, and the paths of its probes. */
export function probedPaths({ spec }: KubernetesManifest): { component: string; paths: string[] } {
  const [container] = spec.template?.spec.containers ?? [];
  return {
    component: container?.args[0] ?? '',
    paths: probes.flatMap((probe) => container?.[probe]?.httpGet?.path ?? []),
  };
}

/**
 * Faults that would prevent these objects from working together, and pods that are not restricted.
 */
export function kubernetesFaults(
  manifests: readonly KubernetesManifest[],
  secretNames: readonly string[],
): string[] {
  const config = manifests.find(({ kind }) => kind === 'ConfigMap')?.data ?? {};
  const workloads = workloadsIn(manifests);
  const podLabels = workloads.map(({ spec }) => spec.template?.metadata.labels ?? {});
  const selectsSome = (labels: Record<string, unknown> = {}) =>
    podLabels.some((pod) => Object.entries(labels).every(([name, value]) => pod[name] === value));
  const danglingReferences = manifests.flatMap(({ kind, metadata, spec }) => {
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
      ...(missing ? [`${kind} ${metadata.name} scales a missing workload`] : []),
    ];
  });
  return [
    ...danglingReferences,
    ...networkFaults(manifests, workloads),
    ...proxyFaults(config),
    ...findSecrets('settings', config),
    ...workloads.flatMap((workload) => workloadFaults(workload, config, secretNames)),
  ];
}

/** Each workload needs an egress policy, and one policy must refuse all other connections. */
function networkFaults(
  manifests: readonly KubernetesManifest[],
  workloads: readonly KubernetesManifest[],
): string[] {
  const policies = manifests.filter(
    ({ kind, spec }) => kind === 'NetworkPolicy' && spec.policyTypes?.includes('Egress'),
  );
  const hasDenyAll = policies.some(
    ({ spec }) => Object.keys(spec.podSelector ?? {}).length === 0 && spec.egress === undefined,
  );
  const withoutPolicy = workloads.filter(
    ({ metadata: { name } }) => !policies.some((policy) => policy.metadata.name === name),
  );
  return [
    ...(hasDenyAll ? [] : ['no policy refuses egress by default']),
    ...withoutPolicy.map(({ metadata: { name } }) => `${name}: may connect to every address`),
  ];
}

const prefixBitsMin = 24;

const proxyFaults = ({ TRUSTED_PROXIES = '' }: Record<string, string>): string[] =>
  TRUSTED_PROXIES.split(',').flatMap((network) => {
    const [, prefixBits = '32'] = network.split('/');
    return Number(prefixBits) >= prefixBitsMin
      ? []
      : [`settings: ${network} trusts more addresses than an ingress has`];
  });

function workloadFaults(
  { metadata: { name }, spec }: KubernetesManifest,
  config: Record<string, string>,
  secretNames: readonly string[],
): string[] {
  const pod = spec.template?.spec;
  if (!pod) return [`${name} has no pod`];
  const requireThat = (holds: boolean, fault: string) => (holds ? [] : [`${name}: ${fault}`]);
  const volumes = [
    ...(pod.volumes ?? []),
    ...(spec.volumeClaimTemplates ?? []).map(({ metadata }) => metadata),
  ].map((volume) => volume.name);
  const { runAsNonRoot, runAsUser = 0, seccompProfile } = pod.securityContext ?? {};
  return [
    ...requireThat(pod.automountServiceAccountToken === false, 'mounts a service account token'),
    ...requireThat(
      runAsNonRoot === true && runAsUser > 0 && seccompProfile?.type === 'RuntimeDefault',
      'is not restricted',
    ),
    ...pod.containers.flatMap((container) => {
      const { allowPrivilegeEscalation, readOnlyRootFilesystem, capabilities } =
        container.securityContext ?? {};
      const [port] = container.ports;
      return [
        ...requireThat(
          allowPrivilegeEscalation === false &&
            readOnlyRootFilesystem === true &&
            capabilities?.drop?.includes('ALL') === true,
          'keeps privileges',
        ),
        ...requireThat(
          container.resources?.requests !== undefined &&
            container.resources.limits?.memory !== undefined,
          'has no resource limits',
        ),
        ...requireThat(
          port?.containerPort === portByComponent[container.args[0] ?? ''],
          'listens on an unexpected port',
        ),
        ...probes.flatMap((probe) => {
          const probeTarget = container[probe]?.httpGet ?? container[probe]?.tcpSocket;
          return requireThat(
            probeTarget !== undefined && probeTarget.port === port?.name,
            `has no ${probe}`,
          );
        }),
        ...['/tmp', '/data'].flatMap((path) =>
          requireThat(
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

const sampleSecret = 'a-secret-that-is-long-enough-for-all-of-them';

const sampleValues: Record<string, string> = {
  DATABASE_URL: 'postgres://atrium@postgres/atrium',
  REDIS_URL: 'rediss://:password@redis:6379',
  SMTP_URL: 'smtps://user:password@mail.example.com:465',
  MAIL_FROM: 'atrium@example.com',
};

function settingsFaults(
  name: string,
  { env = [], envFrom }: PodContainer,
  config: Record<string, string>,
  secretNames: readonly string[],
): string[] {
  const secret = (key: string) => [key, sampleValues[key] ?? sampleSecret] as const;
  const sharedSettings = envFrom ? [...Object.entries(config), ...secretNames.map(secret)] : [];
  const ownSettings = env.map(
    ({ name: key, valueFrom }) =>
      [
        key,
        valueFrom.configMapKeyRef ? (config[valueFrom.configMapKeyRef.key] ?? '') : sampleSecret,
      ] as const,
  );
  const unresolvedEntries = env.filter(
    ({ valueFrom: { configMapKeyRef: entry, secretKeyRef } }) => {
      if (entry) return !(entry.key in config);
      return secretKeyRef?.optional !== true && !secretNames.includes(secretKeyRef?.key ?? '');
    },
  );
  const checkedSettings = ownSettings.filter(([key]) => key !== 'HEARTBEAT_URL');
  return [
    ...unresolvedEntries.map((entry) => `${name}: ${entry.name} refers to a missing entry`),
    ...settingFaults(name, Object.fromEntries([...sharedSettings, ...checkedSettings])),
  ];
}
