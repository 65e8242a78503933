import { readdirSync, statSync } from 'node:fs';
import { setTimeout as pause } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { atLeast, atMost, type Goal } from '../../bench/goals.ts';
import { modelProvider } from '../../support/model-provider.ts';
import type { DatabaseKind } from '../faults/data-location.ts';
import { exactlyZero, type Proof, type ProofFinding } from '../proof.ts';
import { fileIdIn, openTwoTenants, type Tenant } from './two-tenants.ts';

const handbook = fileURLToPath(new URL('../../../src/modules/demo/handbook/', import.meta.url));
const seededFiles = readdirSync(handbook);
const seededBytes = seededFiles.reduce((sum, name) => sum + statSync(`${handbook}${name}`).size, 0);

const freeQuota = { files: 6, bytes: 1_000, passages: 3, runs: 3, uploads: 4 };
const requestCount = 16;

export const proof: Proof = {
  claim:
    'Each quota of an organization is enforced exactly, also for simultaneous requests and in several processes, and deleted or finished work frees it again',
  long: true,
  async measure({ log }) {
    return [
      ...(await measureQuotas('embedded', {})),
      ...(await measureQuotas('postgres', { WORKERS: '2' })),
    ].map((finding) => {
      if ('skipped' in finding || !finding.held) log(`missed: ${finding.figure}`);
      return finding;
    });
  },
};

async function measureQuotas(
  kind: DatabaseKind,
  extraSettings: Record<string, string>,
): Promise<ProofFinding[]> {
  const provider = await modelProvider(() => ({ text: 'Hello.', afterMs: 600 }));
  const tenants = await openTwoTenants(kind, {
    ...extraSettings,
    USER_KEY_LIMIT: '100000',
    MODEL_BASE_URL: provider.baseUrl,
    MODEL_API_KEY: 'k',
    MODEL_DEFAULT: 'm',
    QUOTA_FILES: String(seededFiles.length + freeQuota.files),
    QUOTA_BYTES: String(seededBytes + freeQuota.bytes),
    QUOTA_PASSAGES: String(freeQuota.passages),
    QUOTA_RUNS: String(freeQuota.runs),
    QUOTA_UPLOADS: String(freeQuota.uploads),
  });
  try {
    const { hostile: tenant, quiet: other } = tenants;
    const findings = [
      ...(await measurePassages(tenant)),
      ...(await measureFiles(tenant)),
      ...(await measureBytes(tenant)),
      ...(await measureParallel('runs', freeQuota.runs, () => tenant.run('Hello?'))),
      ...(await measureParallel('uploads', freeQuota.uploads, () => slowUpload(tenant))),
      exactlyZero(
        'requests of another organization refused because of this quota',
        (await other.upload('a text')).status === 200 ? 0 : 1,
      ),
    ];
    return findings.map((finding) => ({
      ...finding,
      figure: `${kind}${extraSettings['WORKERS'] ? ' with two processes' : ''}: ${finding.figure}`,
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

/** Uploads all texts at the same time, and repeats uploads that are refused with 429. */
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

async function measureFiles(tenant: Tenant): Promise<ProofFinding[]> {
  const answers = await uploadAll(
    tenant,
    Array.from({ length: requestCount }, (_, index) => `text ${index}`),
  );
  const accepted = answers.filter(({ status }) => status === 200).length;
  const refused = answers.filter(
    ({ status, body }) =>
      status === 403 && String(body['message']).includes('files that it may have'),
  ).length;
  await deleteAll(tenant, answers);
  const afterwards = await uploadAll(tenant, ['space was freed']);
  await deleteAll(tenant, afterwards);
  return [
    exactly(
      freeQuota.files,
      `files added by ${requestCount} simultaneous uploads to a quota with room for ${freeQuota.files}`,
      accepted,
    ),
    exactly(
      requestCount - freeQuota.files,
      'of the others, refused with 403 and an explanation',
      refused,
    ),
    exactly(200, 'status of an upload after the files were deleted', afterwards[0]?.status ?? 0),
  ];
}

async function measureBytes(tenant: Tenant): Promise<ProofFinding[]> {
  const answers = await uploadAll(
    tenant,
    Array.from({ length: 5 }, (_, index) => String(index).repeat(300)),
  );
  const exact = await tenant.upload('x'.repeat(100));
  const oneByteMore = await tenant.upload('x');
  const storedFile = answers.find(({ status }) => status === 200);
  if (storedFile) await tenant.remove(fileIdIn(storedFile.body));
  const large = await tenant.upload('x'.repeat(300));
  await deleteAll(tenant, [
    ...answers.filter((answer) => answer !== storedFile),
    exact,
    oneByteMore,
    large,
  ]);
  return [
    exactly(
      3,
      'files of 300 bytes added by 5 simultaneous uploads to a quota with room for 1,000',
      answers.filter(({ status }) => status === 200).length,
    ),
    exactly(200, 'status of an upload that fills the quota exactly', exact.status),
    exactly(403, 'status of an upload of one more byte', oneByteMore.status),
    exactly(200, 'status of an upload after bytes were deleted', large.status),
  ];
}

/** The seeded files have more passages than the quota. Files beyond it fail with a code. */
async function measurePassages(tenant: Tenant): Promise<ProofFinding[]> {
  const listed = Object.values((await tenant.files()).body).find(Array.isArray) ?? [];
  const processed = await Promise.all(
    listed.map(({ id }: { id: string }) => tenant.waitUntilProcessed(id)),
  );
  const used = processed.reduce(
    (sum, file) => sum + (file['processingStatus'] === 'COMPLETED' ? Number(file['passages']) : 0),
    0,
  );
  const failed = processed.filter(
    (file) => Object(file['processingError']).code === 'QUOTA_EXCEEDED',
  ).length;
  return [
    atMost(freeQuota.passages, {
      figure: `stored passages of ${listed.length} files with more passages than the quota`,
      value: used,
      unit: '',
    }),
    atLeast(1, { figure: 'files that failed with QUOTA_EXCEEDED', value: failed, unit: '' }),
  ];
}

async function measureParallel(
  what: string,
  limit: number,
  sendRequest: () => Promise<{ status: number; headers: Headers }>,
): Promise<ProofFinding[]> {
  const answers = await Promise.all(Array.from({ length: requestCount }, sendRequest));
  const refused = answers.filter(
    ({ status, headers }) => status === 429 && headers.has('retry-after'),
  );
  const afterwards = await sendRequest();
  return [
    atMost(limit, {
      figure: `simultaneous ${what}, of ${requestCount}, that were accepted`,
      value: answers.filter(({ status }) => status === 200).length,
      unit: '',
    }),
    atLeast(requestCount - limit, {
      figure: 'of the others, refused with 429 and Retry-After',
      value: refused.length,
      unit: '',
    }),
    exactly(200, `status of one more of the ${what} after those have ended`, afterwards.status),
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
