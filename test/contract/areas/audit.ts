import { setTimeout as pause } from 'node:timers/promises';
import type { Answer } from '../answer.ts';
import {
  filledText,
  integer,
  listOf,
  matching,
  objectWith,
  oneOf,
  orNull,
  time,
} from '../matchers.ts';
import { checkShape } from '../report.ts';
import type { Suite } from '../suite.ts';

const path = '/api/audit/v1';
const hash = matching(/^[0-9a-f]{64}$/);
// Entries are sealed every ten seconds.
const sealedMsMax = 30_000;
const askEveryMs = 2_000;

const checkpoint = {
  organizationId: filledText,
  size: integer,
  root: hash,
  at: time,
  previousRoot: orNull(hash),
  jws: matching(/^[\w-]+\.[\w-]+\.[\w-]+$/),
};
const entry = {
  position: integer,
  id: filledText,
  at: time,
  actorKind: oneOf('USER_KEY', 'ORGANIZATION_KEY', 'SESSION', 'SYSTEM'),
  actorKeyId: orNull(filledText),
  actorUserId: orNull(filledText),
  action: filledText,
  targetType: filledText,
  targetId: filledText,
  changes: listOf(objectWith({ field: filledText })),
  requestId: orNull(filledText),
  network: orNull(filledText),
  device: orNull(filledText),
  leafHash: hash,
};

/** Entries, checkpoints and proofs: the guide of the audit log. */
export async function checkAudit(suite: Suite): Promise<void> {
  const { check } = suite;
  const api = suite.api('org-key', 'the audit log');
  if (!api) return;
  const created = await api.post('/api/user-management/v1/teams', {
    name: `${suite.prefix} audit`,
  });
  const teamId = created.textAt('team.id');
  suite.addCleanup(() => api.delete(`/api/user-management/v1/teams/${teamId}`));

  const from = new Date(Date.now() - 60_000).toISOString();
  const sealed = await until(
    () => api.get(`${path}/entries?from=${from}&limit=1000`),
    ({ text }) => text.includes(teamId),
  );
  const own = sealed.listAt('entries').find((one) => Object(one).targetId === teamId);
  check('Audit: a change is an entry within 30 s', sealed, Object(own).action, 'create-team');
  checkShape(check, 'Audit, an entry', sealed, own, entry);
  const { id, position, leafHash } = Object(own);
  const next = await api.get(`${path}/entries?after=${position}&limit=1`);
  check('Audit: after names a position', next, next.at('entries.0.id'), id);
  const refused = await api.get(`${path}/entries?after=x`);
  check('Audit: another cursor is 400', refused, refused.status, 400);

  // The checkpoint comes a moment after the entry.
  const proof = await until(
    () => api.get(`${path}/entries/${id}/proof`),
    ({ status }) => status === 200,
  );
  check('Audit: the proof names the position', proof, proof.at('proof.leafIndex'), position);
  check('Audit: the proof has the hash', proof, proof.at('proof.leafHash'), leafHash);
  check('Audit: the path has hashes', proof, proof.at('proof.path'), listOf(hash));
  checkShape(check, 'Audit, a checkpoint', proof, proof.at('proof.checkpoint'), checkpoint);
  const unknown = await api.get(`${path}/entries/unknown/proof`);
  check('Audit: an unknown entry is 404', unknown, unknown.status, 404);

  const latest = await api.get(`${path}/checkpoints/latest`);
  checkShape(check, 'Audit, the newest one', latest, latest.at('checkpoint'), checkpoint);
  const list = await api.get(`${path}/checkpoints?limit=1`);
  checkShape(check, 'Audit, the first checkpoint', list, list.at('checkpoints.0'), checkpoint);
  const other = suite.api('other-org-key', 'the audit log of another organization');
  const foreign = await other?.get(`${path}/entries/${id}/proof`);
  if (foreign) check('Audit: another organization gets 404', foreign, foreign.status, 404);
}

/** The first answer that is as wanted, or the last one before the time is over. */
async function until(
  read: () => Promise<Answer>,
  isWanted: (answer: Answer) => boolean,
): Promise<Answer> {
  const end = Date.now() + sealedMsMax;
  for (;;) {
    const answer = await read();
    if (isWanted(answer) || Date.now() > end) return answer;
    await pause(askEveryMs);
  }
}
