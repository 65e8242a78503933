import packageJson from '../../../package.json' with { type: 'json' };
import { fillPlaceholders, findSecrets, settingFaults } from './setting-faults.ts';

type ComposeService = {
  image?: string;
  build?: string;
  command?: string[];
  read_only?: boolean;
  cap_drop?: string[];
  security_opt?: string[];
  environment?: Record<string, string>;
  volumes?: string[];
  networks?: string[];
  depends_on?: Record<string, { condition: string }>;
  healthcheck?: { test?: string[]; disable?: boolean };
};
export type ComposeFile = {
  services: Record<string, ComposeService>;
  volumes: Record<string, unknown>;
  networks: Record<string, unknown>;
};

const pinned = /:[\w.-]*\d[\w.-]*@sha256:[0-9a-f]{64}$/;
const sampleSecret = 'a-secret-that-is-long-enough-for-all-of-them';

export const isAtrium = ({ image = '' }: ComposeService): boolean => image.startsWith('atrium:');

/** The application must use its own Postgres role and a Redis password. */
function accessFaults(
  { DATABASE_URL = '', REDIS_URL = '' }: Record<string, string>,
  postgres: Record<string, string>,
): string[] {
  const [, role = ''] = /^postgres:\/\/(\w+):/.exec(DATABASE_URL) ?? [];
  const superuser = postgres['POSTGRES_USER'] ?? 'postgres';
  return [
    ...(role === superuser
      ? ['api: connects as the superuser of Postgres, whom row-level security does not restrict']
      : []),
    ...(/^rediss?:\/\/[^@]*:\$\{\w+/.test(REDIS_URL) ? [] : ['api: Redis has no password']),
  ];
}

/** Faults that would prevent these services from starting or give them needless privileges. */
export function composeFaults({ services, volumes, networks }: ComposeFile): string[] {
  const storeFaults = accessFaults(
    services['api']?.environment ?? {},
    services['postgres']?.environment ?? {},
  );
  const serviceFaults = Object.entries(services).flatMap(([name, service]) => {
    const { image = '', environment = {}, depends_on: dependencies = {}, healthcheck } = service;
    const requireThat = (holds: boolean, fault: string) => (holds ? [] : [`${name}: ${fault}`]);
    return [
      ...requireThat(
        isAtrium(service) || pinned.test(image),
        `${image} is not pinned to a version and digest`,
      ),
      ...(isAtrium(service)
        ? requireThat(
            image === `atrium:${packageJson.version}`,
            `${image} is not the version of package.json`,
          )
        : []),
      ...requireThat(service.read_only === true, 'has a writable root file system'),
      ...requireThat(
        service.cap_drop?.includes('ALL') === true &&
          service.security_opt?.includes('no-new-privileges:true') === true,
        'keeps privileges',
      ),
      ...(service.volumes ?? []).flatMap((volume) =>
        requireThat((volume.split(':')[0] ?? '') in volumes, `${volume} is not a declared volume`),
      ),
      ...(service.networks ?? []).flatMap((network) =>
        requireThat(network in networks, `${network} is not a declared network`),
      ),
      ...Object.entries(dependencies).flatMap(([dependency, { condition }]) => {
        const other = services[dependency];
        const isWatched = other?.healthcheck?.test !== undefined;
        return requireThat(
          other !== undefined && (condition !== 'service_healthy' || isWatched),
          `waits for ${dependency}, which has no health check`,
        );
      }),
      ...(isAtrium(service) && !healthcheck?.disable
        ? requireThat(
            healthcheck?.test?.join(' ') ===
              `CMD node src/commands/check-health.ts ${service.command?.[0]}`,
            'has no health check',
          )
        : []),
      ...findSecrets(name, environment),
      ...(isAtrium(service)
        ? settingFaults(
            name,
            mapValues(environment, (value) => fillPlaceholders(String(value), sampleSecret)),
          )
        : []),
      ...Object.values(environment).flatMap((value) =>
        addressesIn(String(value)).flatMap(({ host }) =>
          requireThat(
            host in services || host === 'localhost',
            `refers to the unknown host ${host}`,
          ),
        ),
      ),
    ];
  });
  return [...storeFaults, ...serviceFaults];
}

const addressesIn = (text: string) =>
  [...text.matchAll(/\w+:\/\/(?:[^@\s/]*@)?([\w.-]+):\d+/g)].map(([, host = '']) => ({ host }));

const mapValues = (values: Record<string, string>, transform: (value: string) => string) =>
  Object.fromEntries(Object.entries(values).map(([name, value]) => [name, transform(value)]));
