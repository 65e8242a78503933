import packageJson from '../../../package.json' with { type: 'json' };
import { faultsOfSettings, filled, leaksIn } from './settings-given.ts';

type Service = {
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
export type Compose = {
  services: Record<string, Service>;
  volumes: Record<string, unknown>;
  networks: Record<string, unknown>;
};

const pinned = /:[\w.-]*\d[\w.-]*@sha256:[0-9a-f]{64}$/;
const given = 'a-secret-that-is-long-enough-for-all-of-them';

export const isAtrium = ({ image = '' }: Service): boolean => image.startsWith('atrium:');

/** Who the application is to its stores: a role of its own for Postgres, a password for Redis. */
function accessFaults(
  { DATABASE_URL = '', REDIS_URL = '' }: Record<string, string>,
  postgres: Record<string, string>,
): string[] {
  const [, role = ''] = /^postgres:\/\/(\w+):/.exec(DATABASE_URL) ?? [];
  const superuser = postgres['POSTGRES_USER'] ?? 'postgres';
  return [
    ...(role === superuser
      ? ['api: its role is the superuser of Postgres, for whom row-level security has no effect']
      : []),
    ...(/^rediss?:\/\/[^@]*:\$\{\w+/.test(REDIS_URL) ? [] : ['api: Redis asks for no password']),
  ];
}

/** What would keep these services from starting, or lets them more than they need. */
export function composeFaults({ services, volumes, networks }: Compose): string[] {
  const access = accessFaults(
    services['api']?.environment ?? {},
    services['postgres']?.environment ?? {},
  );
  const each = Object.entries(services).flatMap(([name, service]) => {
    const { image = '', environment = {}, depends_on: needs = {}, healthcheck } = service;
    const must = (holds: boolean, fault: string) => (holds ? [] : [`${name}: ${fault}`]);
    return [
      ...must(
        isAtrium(service) || pinned.test(image),
        `${image} is pinned to no version and digest`,
      ),
      ...(isAtrium(service)
        ? must(
            image === `atrium:${packageJson.version}`,
            `${image} is not the version of package.json`,
          )
        : []),
      ...must(service.read_only === true, 'may write to its own files'),
      ...must(
        service.cap_drop?.includes('ALL') === true &&
          service.security_opt?.includes('no-new-privileges:true') === true,
        'keeps privileges',
      ),
      ...(service.volumes ?? []).flatMap((volume) =>
        must((volume.split(':')[0] ?? '') in volumes, `${volume} is no volume`),
      ),
      ...(service.networks ?? []).flatMap((network) =>
        must(network in networks, `${network} is no network`),
      ),
      ...Object.entries(needs).flatMap(([needed, { condition }]) => {
        const other = services[needed];
        const isWatched = other?.healthcheck?.test !== undefined;
        return must(
          other !== undefined && (condition !== 'service_healthy' || isWatched),
          `waits for ${needed}, which never says that it is healthy`,
        );
      }),
      ...(isAtrium(service) && !healthcheck?.disable
        ? must(
            healthcheck?.test?.join(' ') === `CMD node src/check-health.ts ${service.command?.[0]}`,
            'is not asked whether it is well',
          )
        : []),
      ...leaksIn(name, environment),
      ...(isAtrium(service)
        ? faultsOfSettings(
            name,
            mapValues(environment, (value) => filled(String(value), given)),
          )
        : []),
      ...Object.values(environment).flatMap((value) =>
        addressesIn(String(value)).flatMap(({ host }) =>
          must(host in services || host === 'localhost', `there is no ${host}`),
        ),
      ),
    ];
  });
  return [...access, ...each];
}

const addressesIn = (text: string) =>
  [...text.matchAll(/\w+:\/\/(?:[^@\s/]*@)?([\w.-]+):\d+/g)].map(([, host = '']) => ({ host }));

const mapValues = (values: Record<string, string>, change: (value: string) => string) =>
  Object.fromEntries(Object.entries(values).map(([name, value]) => [name, change(value)]));
