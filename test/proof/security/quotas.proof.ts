import { readdirSync, statSync } from 'node:fs';
import { setTimeout as pause } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { atLeast, atMost, type Goal } from '../../bench/goals.ts';
import { modelProvider } from '../../support/model-provider.ts';
import type { Kind } from '../faults/place.ts';
import { type Finding, none, type Proof } from '../proof.ts';
import { fileIdIn, openTwoTenants, type Tenant } from './two-tenants.ts';

const handbook = fileURLToPath(new URL('../../../src/modules/demo/handbook/', import.meta.url));
const seededFiles = readdirSync(handbook);
const seededBytes = seededFiles.reduce((sum, name) => sum + statSync(`${handbook}${name}`).size, 0);

const room = { files: 6, bytes: 1_000, passages: 3, runs: 3, uploads: 4 };
const atOnce = 16;

export const proof: Proof = {
  claim:
    'Each quota of an organization is met exactly, also by requests at the same time and in several processes, and what is deleted or has ended is given back',
  long: true,
  async attempt({ say }) {
    return [
      ...(await quotasOf('embedded', {})),
      ...(await quotasOf('postgres', { WORKERS: '2' })),
    ].map((finding) => {
      if ('leftOut' in finding || !finding.held) say(`missed: ${finding.figure}`);
      return finding;
    });
  },
};

async function quotasOf(kind: Kind, more: Record<string, string>): Promise<Finding[]> {
  const provider = await modelProvider(() => ({ text: 'Hello.', afterMs: 600 }));
  const tenants = await openTwoTenants(kind, {
    ...more,
    USER_KEY_LIMIT: '100000',
    MODEL_BASE_URL: provider.baseUrl,
    MODEL_API_KEY: 'k',
    MODEL_DEFAULT: 'm',
    QUOTA_FILES: String(seededFiles.length + room.files),
    QUOTA_BYTES: String(seededBytes + room.bytes),
    QUOTA_PASSAGES: String(room.passages),
    QUOTA_RUNS: String(room.runs),
    QUOTA_UPLOADS: String(room.uploads),
  });
  try {
    const { hostile: tenant, quiet: other } = tenants;
    const findings = [
      ...(await passages(tenant)),
      ...(await files(tenant)),
      ...(await bytes(tenant)),
      ...(await flow('runs', room.runs, () => tenant.run('Hello?'))),
      ...(await flow('uploads', room.uploads, () => slowUpload(tenant))),
      none(
        'requests of another organization that a full quota has refused',
        (await other.upload('a text')).status === 200 ? 0 : 1,
      ),
    ];
    return findings.map((finding) => ({
      ...finding,
      figure: `${kind}${more['WORKERS'] ? ' with two processes' : ''}: ${finding.figure}`,
    }));
  } finally {
    await tenants.close();
    await provider.close();
  }
}

const exactly = (goal: number, figure: string, value: number): Goal => ({
  figure,
  value,
  unit: '',
  goal: `= ${goal}`,
  held: value === goal,
});

/** Uploads at the same time; one that meets the limit of uploads is sent again. */
async function uploadAll(tenant: Tenant, texts: string[]) {
  return Promise.all(
    texts.map(async (text) => {
      for (;;) {
        const answer = await tenant.upload(text);
        if (answer.status !== 429) return answer;
        await pause(50);
      }
    }),
  );
}

async function deleteAll(
  tenant: Tenant,
  answers: { status: number; body: Record<string, unknown> }[],
): Promise<void> {
  for (const { status, body } of answers) if (status === 200) await tenant.remove(fileIdIn(body));
}

async function files(tenant: Tenant): Promise<Finding[]> {
  const answers = await uploadAll(
    tenant,
    Array.from({ length: atOnce }, (_, index) => `text ${index}`),
  );
  const accepted = answers.filter(({ status }) => status === 200).length;
  const refused = answers.filter(
    ({ status, body }) =>
      status === 403 && String(body['message']).includes('files that it may have'),
  ).length;
  await deleteAll(tenant, answers);
  const again = await uploadAll(tenant, ['given back']);
  await deleteAll(tenant, again);
  return [
    exactly(
      room.files,
      `files that ${atOnce} uploads at the same time added to a quota with room for ${room.files}`,
      accepted,
    ),
    exactly(atOnce - room.files, 'the others, refused with 403 and a sentence', refused),
    exactly(200, 'status of an upload after the files were deleted', again[0]?.status ?? 0),
  ];
}

async function bytes(tenant: Tenant): Promise<Finding[]> {
  const answers = await uploadAll(
    tenant,
    Array.from({ length: 5 }, (_, index) => String(index).repeat(300)),
  );
  const exact = await tenant.upload('x'.repeat(100));
  const over = await tenant.upload('x');
  const kept = answers.find(({ status }) => status === 200);
  if (kept) await tenant.remove(fileIdIn(kept.body));
  const large = await tenant.upload('x'.repeat(300));
  await deleteAll(tenant, [...answers.filter((answer) => answer !== kept), exact, over, large]);
  return [
    exactly(
      3,
      'files of 300 bytes that 5 uploads at the same time added to a quota with room for 1,000',
      answers.filter(({ status }) => status === 200).length,
    ),
    exactly(200, 'status of an upload that fills it to the last byte', exact.status),
    exactly(403, 'status of one byte more', over.status),
    exactly(200, 'status of an upload after as many bytes were deleted', large.status),
  ];
}

/**
 * The seeded files have more passages than the quota: what does not fit has failed, with a code and
 * a sentence.
 */
async function passages(tenant: Tenant): Promise<Finding[]> {
  const listed = Object.values((await tenant.files()).body).find(Array.isArray) ?? [];
  const processed = await Promise.all(listed.map(({ id }: { id: string }) => tenant.processed(id)));
  const used = processed.reduce(
    (sum, file) => sum + (file['processingStatus'] === 'COMPLETED' ? Number(file['passages']) : 0),
    0,
  );
  const failed = processed.filter(
    (file) => Object(file['processingError']).code === 'QUOTA_EXCEEDED',
  ).length;
  return [
    atMost(room.passages, {
      figure: `passages in the vault of ${listed.length} files that have more`,
      value: used,
      unit: '',
    }),
    atLeast(1, { figure: 'files that failed with QUOTA_EXCEEDED', value: failed, unit: '' }),
  ];
}

async function flow(
  what: string,
  limit: number,
  ask: () => Promise<{ status: number; headers: Headers }>,
): Promise<Finding[]> {
  const answers = await Promise.all(Array.from({ length: atOnce }, ask));
  const refused = answers.filter(
    ({ status, headers }) => status === 429 && headers.has('retry-after'),
  );
  const again = await ask();
  return [
    atMost(limit, {
      figure: `${what} at the same time, of ${atOnce}, that were let in`,
      value: answers.filter(({ status }) => status === 200).length,
      unit: '',
    }),
    atLeast(atOnce - limit, {
      figure: 'the others, refused with 429 and Retry-After',
      value: refused.length,
      unit: '',
    }),
    exactly(200, `status of one of the ${what} after those have ended`, again.status),
  ];
}

/** An upload that takes 800 ms to arrive. */
async function slowUpload(tenant: Tenant) {
  const head =
    '--b\r\nContent-Disposition: form-data; name="file"; filename="a.txt"\r\nContent-Type: text/plain\r\n\r\n';
  async function* body() {
    yield Buffer.from(`${head}slow`);
    await pause(800);
    yield Buffer.from('\r\n--b--\r\n');
  }
  const answer = await tenant.stream('POST', body(), {
    'content-type': 'multipart/form-data; boundary=b',
  });
  if (answer.status === 200) await tenant.remove(fileIdIn(answer.body));
  return answer;
}
